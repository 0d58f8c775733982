"""Which network addresses an audit may connect to."""

import pickle

import pytest

from sitemapaudit.fetching.address_policy import AddressPolicy, is_public
from sitemapaudit.items import Error


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


INNER = ("10.0.0.1", "127.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.1")
METADATA = (
    "169.254.169.254", "169.254.1.1", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "fd20:ce::254",
    "100.100.100.200", "168.63.129.16", "192.0.0.192", "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
)  # fmt: skip
PUBLIC = ("93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946")


def audit_of(*first: str) -> AddressPolicy:
    """Return the policy of a site that had these addresses when the run began."""
    policy = AddressPolicy(["http://www.example.com:8080"])
    policy.learn("www.example.com", first)
    return policy


@pytest.mark.parametrize("first", [("10.0.0.1",), ("10.0.0.1", "::1"), ("fd00::1",)])
def test_an_audited_site_keeps_the_private_addresses_of_the_beginning(
    first: tuple[str, ...],
) -> None:
    policy = audit_of(*first)
    for port in (8080, 80, 443):
        assert all(policy.allows("www.example.com", port, each) for each in (*first, *PUBLIC))
        for later in {*INNER} - {*first} | {*METADATA}:
            policy.learn("www.example.com", [later])
            assert not policy.allows("www.example.com", port, later)
    assert not policy.allows("www.example.com", 6379, first[0])
    assert not policy.allows("other.example", 80, first[0])


@pytest.mark.parametrize("more", [(), INNER, METADATA, PUBLIC[1:]])
def test_a_public_site_gets_no_private_address(more: tuple[str, ...]) -> None:
    policy = audit_of(PUBLIC[0], *more)
    assert all(policy.allows("www.example.com", 443, each) for each in (*PUBLIC, "8.8.8.8"))
    for address in (*INNER, *METADATA):
        assert not policy.allows("www.example.com", 443, address)
        assert policy.refused["www.example.com"][0] is Error.ADDRESS_REFUSED


@pytest.mark.parametrize("address", METADATA)
def test_a_metadata_address_must_be_named_itself(address: str) -> None:
    literal = f"[{address}]" if ":" in address else address
    host = literal.partition("%")[0] + ("]" if "%" in address else "")
    for policy in (audit_of(address), AddressPolicy([f"http://{host}"])):
        assert not policy.allows("www.example.com", 80, address)
        assert policy.refuses(host, 80)
    assert not AddressPolicy([], ["cdn.local"]).allows("cdn.local", 80, address)
    named = AddressPolicy([], [host])
    assert named.allows("cdn.local", 80, address)
    assert not named.refuses(host, 80)


def test_another_process_learns_no_addresses() -> None:
    policy: AddressPolicy = pickle.loads(pickle.dumps(audit_of("10.0.0.1")))
    policy.stop_learning()
    assert policy.allows("www.example.com", 80, "10.0.0.1")
    policy = AddressPolicy(["http://www.example.com"])
    policy.stop_learning()
    policy.learn("www.example.com", ["10.0.0.1"])
    assert not policy.allows("www.example.com", 80, "10.0.0.1")


@pytest.mark.parametrize(("first", "known"), [("10.0.0.1", ["10.0.0.1"]), (PUBLIC[0], [])])
def test_a_resumed_run_learns_no_addresses_of_hosts_that_were_known(
    first: str, known: list[str]
) -> None:
    """The name may have turned since."""
    begun = audit_of(first)
    assert begun.first == {"www.example.com": known}
    policy = AddressPolicy(["http://www.example.com"])
    policy.restore(begun.first)
    policy.learn("www.example.com", ["10.0.0.2"])
    assert policy.allows("www.example.com", 80, first)
    assert not policy.allows("www.example.com", 80, "10.0.0.2")


def test_another_port_of_an_audited_host_is_not_the_site() -> None:
    policy = AddressPolicy(["http://127.0.0.1:8080"])
    assert not policy.allows("127.0.0.1", 6379, "127.0.0.1")
    assert policy.refused["127.0.0.1"][0] is Error.PRIVATE_ADDRESS
    assert not AddressPolicy(["http://[::1]:80"]).refuses("::1", 80)


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
def test_a_connection_to_a_proxy_of_the_environment_is_allowed_on_its_port_only(
    monkeypatch: pytest.MonkeyPatch, proxy: str, port: int
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    policy = AddressPolicy([])
    assert policy.allows("127.0.0.1", port, "127.0.0.1")
    assert not policy.allows("127.0.0.1", 6379, "127.0.0.1")
    # A connection to it is allowed, and no URL.
    assert policy.refuses("127.0.0.1", port)
    assert AddressPolicy(["http://127.0.0.1:8080"]).refuses("127.0.0.1", port)
    assert not AddressPolicy([f"http://127.0.0.1:{port}"]).refuses("127.0.0.1", port)
    assert not AddressPolicy([], [f"127.0.0.1:{port}"]).refuses("127.0.0.1", port)


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
