"""robots-path-not-encoded: a rule path with characters that a URL must percent-encode."""

import json

import pytest

from sitemapaudit.items import Robots
from tests.rules.robots.files import DECLARED, ROBOTS, robots
from tests.support.findings import found, severities

RULE = "robots-path-not-encoded"


def example() -> list[Robots]:
    return [robots(f"User-agent: *\nDisallow: /café\n{DECLARED}")]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Disallow: /café", ["notice"]),
        ("ALLOW : /日本/", ["notice"]),
        ("Disallow: /a b", ["notice"]),
        ("Disallow: /{id}", ["notice"]),
        ("Disallow: /a|b", ["notice"]),
        (b"Disallow: /caf\xe9", ["notice"]),
        ("Disallow: /caf%C3%A9", []),
        ("Disallow: /a%20b # café", []),
        ("Disallow: /*?a=[1]&b=~$", []),
        ("Disallow: ", []),
        ("Disallow:\t/a \t", []),
        ("# Disallow: /café", []),
        ("Sitemap: https://www.example.com/café.xml", []),
        ("Comment: café", []),
        ("Disallow", []),
    ],
)
def test_characters(line: str | bytes, expected: list[str]) -> None:
    body = b"User-agent: *\n" + (line.encode() if isinstance(line, str) else line)
    assert severities(RULE, robots(body)) == expected


@pytest.mark.parametrize(("lines", "end"), [(1, "/é"), (2, "/é, and 1 more")])
def test_message(lines: int, end: str) -> None:
    (finding,) = found(RULE, robots("User-agent: *\n" + "Disallow: /é\n" * lines))
    assert finding.message == f"line 2 has a path that is not percent-encoded: {end}"


def test_many_lines_are_one_finding() -> None:
    (finding,) = found(RULE, robots("User-agent: *\n" + "Disallow: /é\r\n" * 1_200))
    assert finding.message == "line 2 has a path that is not percent-encoded: /é, and 1,199 more"
    assert finding.url == ROBOTS
    evidence = json.loads(finding.evidence or "")
    assert (evidence["encoded"], evidence["lines"]) == ("/%C3%A9", list(range(2, 22)))


def test_html_is_not_checked() -> None:
    assert severities(RULE, robots("<html>\nDisallow: /é")) == []
