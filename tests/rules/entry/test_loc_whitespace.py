"""loc-whitespace: white space before or behind a loc in XML."""

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
from tests.support import SITEMAP, found, severities

RULE = "loc-whitespace"


@pytest.mark.parametrize(
    ("loc", "where"),
    [
        (f" {PAGE}", "before it"),
        (f"\n{PAGE}", "before it"),
        (f"{PAGE}\t", "behind it"),
        (f"{PAGE}\r\n", "behind it"),
        (f"{PAGE}&#10;", "behind it"),
        (f"<![CDATA[ {PAGE}]]>", "before it"),
        (f"\n    {PAGE}\n  ", "before and behind it"),
    ],
)
def test_white_space(loc: str, where: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    (finding,) = found(RULE, entry)
    assert finding.severity == "notice"
    assert finding.message == f"the loc has white space {where}"


@pytest.mark.parametrize(
    "loc",
    [PAGE, f"<![CDATA[{PAGE}]]>", f"<!-- -->{PAGE}", "https://www.example.com/a%20", "", "  \n"],
)
def test_none(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []


@pytest.mark.parametrize("loc", ["https://www.example.com/a b", "https://www.example.com/a\nb"])
def test_white_space_within_is_another_rules(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []
    assert severities("loc-invalid", entry) == ["error"]


def test_the_trimmed_address_is_judged_by_other_rules() -> None:
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
    assert json.loads(finding.evidence or "")["loc"] == f" {PAGE}\n"
