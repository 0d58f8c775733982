"""loc-too-long: a loc of 2,048 characters or more; 2,047 are allowed."""

import json

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.caps import MAX_TEXT
from sitemapaudit.config import AuditSettings
from tests.rules.sitemap.files import atom, atom_entry, entries_of, index, item, rss, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP, listed

HOST = "https://www.example.com/"
LIMIT = 2_048
EDGE = pytest.mark.parametrize(
    ("length", "expected"), [(LIMIT - 1, []), (LIMIT, ["error"]), (LIMIT + 1, ["error"])]
)


def loc(length: int, character: str = "a", ends: str = "") -> str:
    """Return a loc with this many characters; ``character`` may be written as an entity."""
    return ends + HOST + character * (length - len(HOST)) + ends


@EDGE
@pytest.mark.parametrize(
    ("character", "ends"),
    [
        ("a", ""),
        ("a", "\n  "),
        ("ä", ""),
        ("😀", ""),
        ("&amp;", ""),
        ("&#228;", ""),
    ],
    ids=["ascii", "whitespace-around", "two-bytes", "four-bytes", "entity", "reference"],
)
def test_characters_are_counted_after_decoding_and_trimming(
    character: str, ends: str, length: int, expected: list[str]
) -> None:
    (entry,) = entries_of(urlset(url(loc(length, character, ends))))
    assert severities("loc-too-long", entry) == expected


@EDGE
def test_a_percent_encoded_byte_is_three_characters(length: int, expected: list[str]) -> None:
    written = HOST + "%C3%A4" * 300
    (entry,) = entries_of(urlset(url(written + "a" * (length - len(written)))))
    assert severities("loc-too-long", entry) == expected


@EDGE
def test_in_every_format(length: int, expected: list[str]) -> None:
    written = loc(length)
    for body in (
        index(written),
        f"{written}\n",
        rss(item(written)),
        atom(atom_entry(written)),
    ):
        (entry,) = entries_of(body)
        assert severities("loc-too-long", entry) == expected


@pytest.mark.parametrize("length", [1_024, 1_025])
def test_the_limit_of_yandex_is_off_by_default(length: int) -> None:
    (entry,) = entries_of(urlset(url(loc(length))))
    assert severities("loc-too-long", entry) == []


@pytest.mark.parametrize(
    ("length", "expected"),
    [(1_024, []), (1_025, ["notice"]), (LIMIT - 1, ["notice"]), (LIMIT, ["error"])],
)
def test_a_setting_turns_on_the_limit_of_yandex(length: int, expected: list[str]) -> None:
    settings = AuditSettings.from_scrapy({"AUDIT_LOC_NOTICE_LENGTH": "1024"})
    findings = Audit(rule_options=settings.rule_options).examine(listed(loc(length)))
    assert [each.severity for each in findings if each.rule == "loc-too-long"] == expected


@pytest.mark.parametrize("body", [urlset("<url/>"), urlset(url(" " * 5_000))])
def test_an_empty_loc_has_no_length(body: str) -> None:
    (entry,) = entries_of(body)
    assert severities("loc-too-long", entry) == []


def test_message_evidence_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(loc(LIMIT))))
    (finding,) = found("loc-too-long", entry)
    assert finding.message == "loc has 2,048 characters; the limit is 2,047"
    assert (finding.url, finding.sitemap, finding.position) == (loc(LIMIT), SITEMAP, 2)
    evidence = json.loads(finding.evidence or "")
    assert (evidence["length"], evidence["limit"]) == (LIMIT, LIMIT - 1)
    assert loc(LIMIT).startswith(evidence["loc"])


def test_a_loc_that_was_not_read_to_its_end_has_its_known_length() -> None:
    (entry,) = entries_of(urlset(url(loc(MAX_TEXT + 2))))
    (finding,) = found("loc-too-long", entry)
    assert finding.message == f"loc has {MAX_TEXT:,} characters or more; the limit is 2,047"
