"""loc-whitespace: leading or trailing whitespace of a loc in XML."""

import json

import pytest

from tests.rules.sitemap.files import (
    PAGE,
    atom,
    atom_entry,
    entries_of,
    index,
    item,
    rss,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "loc-whitespace"


@pytest.mark.parametrize(
    ("loc", "where"),
    [
        (f" {PAGE}", "leading"),
        (f"\n{PAGE}", "leading"),
        (f"{PAGE}\t", "trailing"),
        (f"{PAGE}\r\n", "trailing"),
        (f"{PAGE}&#10;", "trailing"),
        (f"<![CDATA[ {PAGE}]]>", "leading"),
        (f"\n    {PAGE}\n  ", "leading and trailing"),
    ],
)
def test_leading_or_trailing_whitespace(loc: str, where: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    (finding,) = found(RULE, entry)
    assert finding.severity == "notice"
    assert finding.message == f"loc has {where} whitespace"


@pytest.mark.parametrize(
    "loc",
    [PAGE, f"<![CDATA[{PAGE}]]>", f"<!-- -->{PAGE}", "https://www.example.com/a%20", "", "  \n"],
)
def test_no_whitespace_around_the_loc(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []


@pytest.mark.parametrize("loc", ["https://www.example.com/a b", "https://www.example.com/a\nb"])
def test_loc_invalid_reports_whitespace_inside(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []
    assert severities("loc-invalid", entry) == ["error"]


def test_other_rules_check_the_trimmed_loc() -> None:
    (entry,) = entries_of(urlset(url(f"\n{PAGE}\n")))
    assert entry.url == PAGE
    assert severities("loc-invalid", entry) == []


def test_in_every_format() -> None:
    for body in (index(f"{PAGE} "), rss(item(f"{PAGE} ")), atom(atom_entry(f"{PAGE} "))):
        (entry,) = entries_of(body)
        assert severities(RULE, entry) == ["notice"]
    (entry,) = entries_of(f"  {PAGE}  \n")
    assert severities(RULE, entry) == []


def test_evidence_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(f" {PAGE}\n")))
    (finding,) = found(RULE, entry)
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {
        "where": "leading and trailing",
        "loc": f" {PAGE}\n",
    }
