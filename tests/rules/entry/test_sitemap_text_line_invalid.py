"""sitemap-text-line-invalid: a line that is not exactly one absolute, valid http(s) URL."""

import json

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.items import Entries
from tests.rules.sitemap.files import PAGE, entries_of, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "sitemap-text-line-invalid"


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
def test_valid(line: str) -> None:
    (entry,) = entries_of(f"{line}\n")
    assert severities(RULE, entry) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("URL", "is not an absolute URL"),
        ("# pages", "is not an absolute URL"),
        ("/a", "is not an absolute URL"),
        ("www.example.com/a", "is not an absolute URL"),
        ("www.example.com:8443", "is not an absolute URL"),
        ("//www.example.com/a", "is not an absolute URL"),
        ("https://", "is not an absolute URL"),
        (f"1. {PAGE}", "is not an absolute URL"),
        (f"{PAGE} https://www.example.com/b", "contains several URLs"),
        (f"{PAGE},https://www.example.com/b", "contains several URLs"),
        (f"{PAGE};HTTP://www.example.com/b", "contains several URLs"),
        (f"{PAGE}\thttps://www.example.com/b", "contains several URLs"),
        (f"{PAGE} 2026-11-21", "is not a valid URL: it contains the character ' '"),
        (f"{PAGE}%2", "is not a valid URL: '%2' is not valid percent-encoding"),
        ("ftp://www.example.com/a", "is not a valid URL: its scheme is not http or https"),
        ("mailto:a@example.com", "is not a valid URL: its scheme is not http or https"),
        ("https://me:secret@www.example.com/", "is not a valid URL: it contains user information"),
        (
            "https://www.example.com:99999/",
            "is not a valid URL: its host or port is invalid, or part of it could not be read",
        ),
    ],
)
def test_an_invalid_line_is_the_only_finding(line: str, problem: str) -> None:
    _, entry = entries_of(f"{PAGE}\n{line}\n")
    assert found(RULE, entry)[0].message == f"line 2: {line!r} {problem}"
    assert severities(RULE, entry) == ["error"]
    assert [finding.rule for finding in Audit().examine(Entries(SITEMAP, [entry]))] == [RULE]


def test_blank_lines_count_as_lines_but_not_as_entries() -> None:
    first, second = entries_of(f"\n\n{PAGE}\n \t\n#\n")
    assert severities(RULE, first) == []
    (finding,) = found(RULE, second)
    assert (finding.sitemap, finding.position) == (SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {
        "line": 5,
        "loc": "#",
        "problem": "is not an absolute URL",
    }


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_every_line_ending(end: str) -> None:
    first, second = entries_of(f"{PAGE}{end}heading{end}")
    assert [severities(RULE, entry) for entry in (first, second)] == [[], ["error"]]


def test_a_long_line_is_truncated() -> None:
    _, entry = entries_of(f"{PAGE}\n{'x' * 10_000}\n")
    (finding,) = found(RULE, entry)
    assert finding.message == f"line 2: {'x' * 500!r} is not an absolute URL"


@pytest.mark.parametrize("loc", ["/a", f"{PAGE},{PAGE}", "a b"])
def test_xml_is_not_checked(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []
