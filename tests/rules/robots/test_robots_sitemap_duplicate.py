"""robots-sitemap-duplicate: two lines with one normalized URL; each repeated line is reported."""

import json

import pytest

from tests.rules.robots.files import DECLARED, ROBOTS, SITE, robots
from tests.support.findings import found, severities

RULE = "robots-sitemap-duplicate"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], 0),
        ([DECLARED], 0),
        ([DECLARED, DECLARED], 1),
        ([DECLARED, DECLARED, DECLARED], 2),
        ([DECLARED, "User-agent: *", "Disallow:", DECLARED], 1),
        ([DECLARED, "Sitemap: https://www.example.com/b.xml", DECLARED], 1),
        (["Sitemap:", "Sitemap:"], 0),
        (["Sitemap: ftp://a/b", "Sitemap: ftp://a/b"], 0),
        ([f"# {DECLARED}", DECLARED], 0),
    ],
)
def test_each_repeated_line_is_a_finding(lines: list[str], expected: int) -> None:
    assert severities(RULE, robots("\n".join(lines))) == ["notice"] * expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("HTTPS://WWW.Example.COM/sitemap.xml", 1),
        ("https://www.example.com:443/sitemap.xml", 1),
        ("https://www.example.com/sitemap.xml#part", 1),
        ("https://www.example.com/site%6Dap.xml", 1),
        ("https://www.example.com/./sitemap.xml", 1),
        ("/sitemap.xml", 1),
        ("https://www.example.com/Sitemap.xml", 0),
        ("https://www.example.com/sitemap.xml/", 0),
        ("https://www.example.com/sitemap.xml?", 0),
        ("https://www.example.com:8443/sitemap.xml", 0),
        ("http://www.example.com/sitemap.xml", 0),
        ("https://example.com/sitemap.xml", 0),
    ],
)
def test_urls_are_compared_normalized(value: str, expected: int) -> None:
    row = robots(f"{DECLARED}\nsitemap: {value}\n")
    assert severities(RULE, row) == ["notice"] * expected


def test_message_and_evidence_contain_both_lines() -> None:
    second, third = found(RULE, robots(f"\n{DECLARED}\n\n{DECLARED}\n{DECLARED}\n"))
    sitemap = f"{SITE}/sitemap.xml"
    assert second.message == f"line 4 repeats the sitemap of line 2: {sitemap}"
    assert third.message == f"line 5 repeats the sitemap of line 2: {sitemap}"
    assert second.url == ROBOTS
    assert json.loads(second.evidence or "") == {"line": 4, "first_line": 2, "sitemap": sitemap}
