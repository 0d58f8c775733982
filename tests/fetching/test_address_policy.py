"""Which network addresses an audit may connect to."""

import pytest

from sitemapaudit.fetching.address_policy import AddressPolicy, is_public


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("8.8.8.8", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("127.0.0.1", False),
        ("127.8.8.8", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("172.32.0.1", True),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("198.18.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("fd00:ec2::254", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("2002:7f00:1::", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("64:ff9b:1::808:808", False),
        ("fec0::1", False),
        ("168.63.129.16", False),
        ("168.63.129.17", True),
        ("::ffff:168.63.129.16", False),
        ("ff02::1", False),
        ("::7f00:1", False),
        ("::a9fe:a9fe", False),
        ("::ffff:0:7f00:1", False),
        ("192.0.0.192", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_an_audited_site_can_have_any_address() -> None:
    policy = AddressPolicy(["http://intranet.example:8080"])
    assert policy.allows("intranet.example", 8080, "10.0.0.1")
    assert policy.allows("intranet.example", 443, "10.0.0.1")
    assert not policy.refused


def test_another_port_of_an_audited_host_is_not_the_site() -> None:
    policy = AddressPolicy(["http://127.0.0.1:8080"])
    assert not policy.allows("127.0.0.1", 6379, "127.0.0.1")
    assert policy.refused == {"127.0.0.1"}


def test_every_host_can_have_a_public_address() -> None:
    assert AddressPolicy([]).allows("www.example.com", 443, "93.184.216.34")


@pytest.mark.parametrize(
    ("name", "port", "allowed"),
    [("cdn.local", 80, True), ("cdn.local", 9000, True), ("[::1]:81", 81, True)],
)
def test_a_private_host_of_the_settings_is_allowed(name: str, port: int, allowed: bool) -> None:
    policy = AddressPolicy([], [name])
    host = "::1" if name.startswith("[") else name
    assert policy.allows(host, port, "127.0.0.1") is allowed
    assert not policy.allows("other.local", port, "127.0.0.1")


def test_a_private_host_with_a_port_is_allowed_on_that_port_only() -> None:
    policy = AddressPolicy([], ["cdn.local:9000"])
    assert policy.allows("cdn.local", 9000, "127.0.0.1")
    assert not policy.allows("cdn.local", 9001, "127.0.0.1")


@pytest.mark.parametrize(
    ("proxy", "port"),
    [
        ("http://127.0.0.1:3128", 3128),
        ("127.0.0.1:3128", 3128),
        ("http://user:secret@127.0.0.1", 80),
        ("https://127.0.0.1", 443),
    ],
)
def test_a_proxy_of_the_environment_is_allowed_on_its_port_only(
    monkeypatch: pytest.MonkeyPatch, proxy: str, port: int
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    assert AddressPolicy([]).allows("127.0.0.1", port, "127.0.0.1")
    assert not AddressPolicy([]).allows("127.0.0.1", 6379, "127.0.0.1")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "169.254.169.254"])
def test_a_host_without_a_proxy_is_not_exempt(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("no_proxy", host)
    assert not AddressPolicy([]).allows(host, 80, "127.0.0.1")


def test_addresses_and_internal_names_are_refused_before_they_are_resolved() -> None:
    policy = AddressPolicy(["http://127.0.0.1:8080"], ["10.0.0.1"])
    assert policy.refuses("169.254.169.254", 80)
    assert policy.refuses("[::1]", 80)
    assert policy.refuses("127.0.0.1", 6379)
    for host in ("localhost", "LOCALHOST.", "a.localhost", "metadata.google.internal"):
        assert policy.refuses(host, 80)
        assert not policy.allows(host, 80, "8.8.8.8")
        assert not AddressPolicy([f"http://{host.lower()}"]).refuses(host.lower(), 80)
        assert not AddressPolicy([], [host]).refuses(host.lower(), 80)
    for host, port in (("127.0.0.1", 8080), ("10.0.0.1", 1), ("8.8.8.8", 80), ("cdn.local", 80)):
        assert not policy.refuses(host, port)
