"""Arguments and settings are read into typed values, or are refused with one sentence."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.bounds.margin import Margin
from sitemapaudit.config import Arguments, AuditSettings, Config, Site
from sitemapaudit.config.options import ConfigError, OptionDescription
from sitemapaudit.engine.crawl_settings import DOWNLOAD_TIMEOUT
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.items import Role
from sitemapaudit.urls.shard import Shard


def config(arguments: dict[str, Any], **settings: Any) -> Config:
    return Config.read(arguments, {"DOWNLOAD_TIMEOUT": DOWNLOAD_TIMEOUT, **settings})


@pytest.mark.parametrize(
    ("given", "sites"),
    [
        ("https://www.example.com", [Site("https://www.example.com")]),
        ("HTTPS://WWW.Example.com:443/", [Site("https://www.example.com")]),
        ("www.example.com", [Site("https://www.example.com", "http://www.example.com")]),
        ("example.com:8080", [Site("https://example.com:8080", "http://example.com:8080")]),
        (
            "http://a.example, http://b.example",
            [Site("http://a.example"), Site("http://b.example")],
        ),
        (
            "münchen.example",
            [Site("https://xn--mnchen-3ya.example", "http://xn--mnchen-3ya.example")],
        ),
        ("http://[::1]:8080", [Site("http://[::1]:8080")]),
    ],
)
def test_sites(given: str, sites: list[Site]) -> None:
    assert list(config({"site": given}).arguments.site) == sites


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("pages", "ALL", "all"),
        ("pages", "none", "none"),
        ("pages", "500", 500),
        ("pages", 500, 500),
        ("pages", "±1%", Margin(1)),
        ("pages", "+-0.5%", Margin(0.5)),
        ("follow", "none", frozenset()),
        ("follow", "redirect, HREFLANG", frozenset({Role.REDIRECT, Role.HREFLANG})),
        ("agent", "Bingbot", "Bingbot"),
        ("shard", "2/8", Shard(2, 8)),
        ("workers", "auto", None),
        ("workers", "4", 4),
        ("since", "", None),
    ],
)
def test_values(name: str, given: Any, value: Any) -> None:
    assert getattr(config({"site": "example.com", name: given}).arguments, name) == value


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("shard", "0/0"),
        ("workers", "0"),
        ("workers", "many"),
        ("shard", "3/2"),
        ("shard", "1"),
        ("pages", "-1"),
        ("pages", "1.5"),
        ("pages", "±50%"),
        ("pages", "1%"),
        ("follow", "links"),
        ("since", "20/11/2026"),
        ("include", "("),
        ("agent", "Mozilla/5.0 (X11)"),
        ("site", "http://"),
        ("site", "demo,example.com"),
        ("site", "example.com,demo-later"),
        ("site", "demo,demo-later"),
        ("sitemap", "sitemap.xml"),
        ("urls", "no/such/list"),
    ],
)
def test_a_wrong_value_is_one_sentence(name: str, given: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{name}: .*\.$"):
        config({"site": "example.com", name: given})


@pytest.mark.parametrize(
    "given",
    [
        {"site": "https://example.com/a/"},
        {"site": "https://example.com/?a=b", "folder": "."},
        {"site": "https://example.com/a/,https://example.org", "folder": "."},
        {"site": "https://example.com/a/", "sitemap": "https://example.com/s.xml", "folder": "."},
    ],
)
def test_only_the_site_of_a_build_has_a_path(given: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"^site: .*https://example\.com/.*\.$"):
        config(given)
    path = config({"site": "https://example.com/a/b/", "folder": "."})
    assert (path.first_origin, path.path) == ("https://example.com", "/a/b")


@pytest.mark.parametrize("option", Arguments.describe(), ids=lambda each: each.name)
def test_none_is_the_default(option: OptionDescription) -> None:
    given = {"site": "example.com", "sitemap": "https://example.com/a.xml"}
    del given["site" if option.name == "site" else "sitemap"]
    assert config({**given, option.name: None}) == config(given)


@pytest.mark.parametrize("host", ["a.example", "10.0.0.5:8080", "[::1]", "[fd00::1]:80", "näme"])
def test_private_hosts(host: str) -> None:
    found = config({"site": "example.com"}, AUDIT_PRIVATE_HOSTS=f"b.example, {host}").settings
    assert found.private_hosts == {"b.example", host}
    AddressPolicy([], found.private_hosts)


@pytest.mark.parametrize(
    "host",
    [
        "x:abc",
        "x:99999",
        "::",
        "::1",
        "[::1",
        "[:::]",
        "[10.0.0.1]",
        "[1]",
        "http://x",
        "*",
        "x/",
        "a@b",
        ":80",
    ],
)
def test_wrong_private_hosts_are_one_sentence(host: str) -> None:
    with pytest.raises(ConfigError, match=r"^AUDIT_PRIVATE_HOSTS: .* is not a host such as .*\.$"):
        config({"site": "example.com"}, AUDIT_PRIVATE_HOSTS=host)


def test_values_can_be_python_objects() -> None:
    settings = config({"site": ["example.com"]}, AUDIT_RULES={"loc-missing": "off"}).settings
    assert settings.rules == {"loc-missing": "off"}


def test_the_documented_defaults_are_the_defaults() -> None:
    documented = {option.name: option.default for option in Arguments.describe()}
    assert documented["pages"] == "all"
    assert config({"site": "example.com"}).arguments == Arguments.read(
        documented | {"site": "example.com"}
    )
    settings = {option.name: option.default for option in AuditSettings.describe()}
    assert AuditSettings.read(settings) == AuditSettings.read({})


def test_every_option_has_a_meaning() -> None:
    for option in (*Arguments.describe(), *AuditSettings.describe()):
        assert option.meaning.endswith("."), option.name


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"site": "https://www.example.com"}, "www.example.com"),
        ({"site": "example.com:8080"}, "example.com:8080"),
        ({"site": "a.example,b.example,c.example"}, "a.example+2"),
        ({"sitemap": "https://a.example/1.xml,https://a.example/2.xml"}, "a.example"),
        ({"site": "demo"}, "demo"),
        ({"site": "demo-later"}, "demo"),
    ],
)
def test_the_name_of_the_folder_for_runs(arguments: dict[str, str], name: str) -> None:
    assert config(arguments).site_name() == name


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"GIF89a", "AUDIT_REPORT_LOGO: the logo is not a PNG, JPEG or SVG picture."),
        (b"<html><svg></svg>", "AUDIT_REPORT_LOGO: the logo is not a PNG, JPEG or SVG picture."),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 300_000, "has 300,008 bytes; at most 300,000 are allowed."),
        (None, "cannot be read: No such file or directory."),
    ],
)
def test_a_file_that_is_no_logo_is_refused(
    tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    file = tmp_path / "logo"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError) as refused:
        AuditSettings.from_scrapy({"AUDIT_REPORT_LOGO": str(file)})
    assert str(refused.value).endswith(sentence)


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b'<?xml version="1.0"?>\n<!-- x -->\n<svg width="1">',
    ],
)
def test_a_picture_is_a_logo(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "logo"
    file.write_bytes(content)
    logo = AuditSettings.from_scrapy({"AUDIT_REPORT_LOGO": str(file)}).report_logo
    assert logo.startswith("data:image/")
    assert AuditSettings.from_scrapy({"AUDIT_REPORT_LOGO": logo}).report_logo == logo


@pytest.mark.parametrize("content", ["R0lGODlh", "not base64"])
def test_a_data_uri_that_is_no_logo_is_refused(content: str) -> None:
    with pytest.raises(ConfigError, match=r"^AUDIT_REPORT_LOGO: the (logo|data URI) is not"):
        AuditSettings.from_scrapy({"AUDIT_REPORT_LOGO": f"data:image/gif;base64,{content}"})


def test_rules_of_a_profile() -> None:
    settings = config({"site": ["example.com"]}, AUDIT_RULES="google, Bing").settings
    assert settings.rules == {"profile": "google,Bing"}
    recorded = {"profile": "google", "loc-duplicate": "error"}
    assert config({"site": ["example.com"]}, AUDIT_RULES=recorded).settings.rules == recorded


@pytest.mark.parametrize("given", ["gogle", {"profile": "gogle"}, '{"profile": "bing, gogle"}'])
def test_an_unknown_profile_is_one_sentence_with_the_nearest(given: object) -> None:
    with pytest.raises(ConfigError) as error:
        config({"site": ["example.com"]}, AUDIT_RULES=given)
    assert str(error.value) == "AUDIT_RULES: there is no profile 'gogle'; did you mean google?"


def test_lists_are_recorded_as_the_command_line_gives_them() -> None:
    sites, agents = ["https://a.example", "https://b.example"], ("Googlebot", "GPTBot")
    recorded, _ = config({"site": sites, "agents": agents}).recorded_values()
    assert (recorded["site"], recorded["agents"]) == (",".join(sites), ",".join(agents))
    assert recorded["agent"] == "Googlebot"
