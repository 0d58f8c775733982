"""robots-sitemap-invalid: a Sitemap line that is not an absolute, valid http(s) URL."""

import pytest

from sitemapaudit.items import DeclaredSitemap, Robots
from tests.rules.robots.files import DECLARED, ROBOTS, robots
from tests.support.findings import found, severities


@pytest.mark.parametrize(
    "value",
    [
        "https://www.example.com/sitemap.xml",
        "http://www.example.com/sitemap.xml",
        "HTTPS://WWW.EXAMPLE.COM/sitemap.xml",
        "https://www.example.com",
        "https://www.example.com:8443/sitemap.xml",
        "https://www.example.com/sitemap.xml?part=1&of=2",
        "https://files.example.net/sitemap.xml",
        "https://bücher.example/sitemap.xml",
        "https://[2001:db8::1]/sitemap.xml",
        "https://www.example.com/sitemap.xml # the only one",
    ],
)
def test_valid(value: str) -> None:
    assert severities("robots-sitemap-invalid", robots(f"Sitemap: {value}\n")) == []


@pytest.mark.parametrize(
    "value",
    [
        "",
        "# none yet",
        "/sitemap.xml",
        "sitemap.xml",
        "?sitemap=1",
        "//www.example.com/sitemap.xml",
        "www.example.com/sitemap.xml",
        "https:",
        "https://",
        "https:///sitemap.xml",
        "https:/www.example.com/sitemap.xml",
        "https://?sitemap",
        "https://:8443/sitemap.xml",
        "https://www.example.com:65536/sitemap.xml",
        "https://[2001:db8::1/sitemap.xml",
        "ftp://www.example.com/sitemap.xml",
        "file:///var/www/sitemap.xml",
        "<https://www.example.com/sitemap.xml>",
        # Not valid as a loc either.
        "https://www.example.com/site map.xml",
        "https://www.example.com/sitemap.xml https://www.example.com/news.xml",
        "https://www.example.com/a\tb.xml",
        "https://www.example.com/100%.xml",
        "https://user@www.example.com/sitemap.xml",
        "https://{{host}}/sitemap.xml",
        "https://www..example.com/sitemap.xml",
        "www.example.com:8443/sitemap.xml",
    ],
)
def test_invalid(value: str) -> None:
    assert severities("robots-sitemap-invalid", robots(f"Sitemap: {value}\n")) == ["error"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_invalid_line_is_a_finding(end: str) -> None:
    lines = ["User-agent: *", "Sitemap: /a.xml", DECLARED, "", "sitemap: //b.xml", ""]
    findings = found("robots-sitemap-invalid", robots(end.join(lines)))
    assert [finding.message for finding in findings] == [
        "line 2 declares '/a.xml', which is not an absolute URL",
        "line 5 declares '//b.xml', which is not an absolute URL",
    ]
    assert {finding.url for finding in findings} == {ROBOTS}


def test_message_contains_the_problem() -> None:
    (finding,) = found("robots-sitemap-invalid", robots("Sitemap: https://a.example/b c"))
    assert finding.message == (
        "line 1 declares 'https://a.example/b c', "
        "which is not a valid URL: it contains the character ' '"
    )


def test_no_finding_without_a_sitemap_line() -> None:
    assert severities("robots-sitemap-invalid", robots("User-agent: *\nDisallow:\n")) == []


def test_the_body_of_an_error_page_is_not_read() -> None:
    assert severities("robots-sitemap-invalid", robots("Sitemap: /a.xml", 404)) == []


@pytest.mark.parametrize(
    ("site", "host", "reported"),
    [
        ("https://www.workshop.de", "10.11.12.13:4000", True),
        ("https://www.workshop.de", "localhost:8080", True),
        ("https://www.workshop.de", "example.com", True),
        ("https://www.workshop.de", "cdn.workshop.de", False),
        ("http://localhost:8000", "127.0.0.1:8000", False),
    ],
)
def test_a_host_that_search_engines_cannot_reach(site: str, host: str, reported: bool) -> None:
    declared = DeclaredSitemap(3, f"http://{host}/sitemap.xml", f"http://{host}/sitemap.xml")
    row = Robots(site, f"{site}/robots.txt", sitemaps=[declared])
    message = (
        f"line 3 declares '{declared.value}', which has a host that search engines cannot reach"
    )
    expected = [message] if reported else []
    assert [finding.message for finding in found("robots-sitemap-invalid", row)] == expected
