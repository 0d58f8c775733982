"""sitemap-text-line-invalid: a line that is not exactly one full http(s) address."""

import json

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Entries
from tests.rules.sitemap.files import PAGE, entries_of, url, urlset
from tests.support import SITEMAP, found, severities

RULE = "sitemap-text-line-invalid"
UNUSABLE = "its host or port is invalid, or it names something that could not be read"


@pytest.mark.parametrize(
    "line",
    [
        PAGE,
        f"  {PAGE}\t",
        f"\ufeff{PAGE}",
        "HTTP://www.example.com",
        "https://www.example.com:8443/a?b=c,d;e|f#g",
        "https://www.example.com/ä",
        "https://bücher.example/",
        "https://www.example.com/?next=https://www.example.org/",
        "https://www.example.com/a%20b",
        "https://[2001:db8::1]/",
    ],
)
def test_an_address(line: str) -> None:
    (entry,) = entries_of(f"{line}\n")
    assert severities(RULE, entry) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("URL", "is not a full address"),
        ("# pages", "is not a full address"),
        ("/a", "is not a full address"),
        ("www.example.com/a", "is not a full address"),
        ("www.example.com:8443", "is not a full address"),
        ("//www.example.com/a", "is not a full address"),
        ("https://", "is not a full address"),
        (f"1. {PAGE}", "is not a full address"),
        (f"{PAGE} https://www.example.com/b", "holds several addresses"),
        (f"{PAGE},https://www.example.com/b", "holds several addresses"),
        (f"{PAGE};HTTP://www.example.com/b", "holds several addresses"),
        (f"{PAGE}\thttps://www.example.com/b", "holds several addresses"),
        (f"{PAGE} 2026-11-21", "is no valid URL: it holds the character ' '"),
        (f"{PAGE}%2", "is no valid URL: '%2' is no percent triplet"),
        ("ftp://www.example.com/a", "is no valid URL: its scheme is not http or https"),
        ("mailto:a@example.com", "is no valid URL: its scheme is not http or https"),
        ("https://me:secret@www.example.com/", "is no valid URL: it holds user information"),
        (
            "https://www.example.com:99999/",
            f"is no valid URL: {UNUSABLE}",
        ),
    ],
)
def test_something_else_is_the_one_finding(line: str, problem: str) -> None:
    _, entry = entries_of(f"{PAGE}\n{line}\n")
    assert found(RULE, entry)[0].message == f"line 2: {line!r} {problem}"
    assert severities(RULE, entry) == ["error"]
    assert [finding.rule for finding in Audit().examine(Entries(SITEMAP, [entry]))] == [RULE]


def test_blank_lines_are_no_entries_and_count_as_lines() -> None:
    first, second = entries_of(f"\n\n{PAGE}\n \t\n#\n")
    assert severities(RULE, first) == []
    (finding,) = found(RULE, second)
    assert (finding.sitemap, finding.position) == (SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {
        "line": 5,
        "loc": "#",
        "problem": "is not a full address",
    }


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_any_end_of_line(end: str) -> None:
    first, second = entries_of(f"{PAGE}{end}heading{end}")
    assert [severities(RULE, entry) for entry in (first, second)] == [[], ["error"]]


def test_a_long_line_is_shortened() -> None:
    _, entry = entries_of(f"{PAGE}\n{'x' * 10_000}\n")
    (finding,) = found(RULE, entry)
    assert finding.message == f"line 2: {'x' * 500!r} is not a full address"


@pytest.mark.parametrize("loc", ["/a", f"{PAGE},{PAGE}", "a b"])
def test_xml_is_other_rules(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []
