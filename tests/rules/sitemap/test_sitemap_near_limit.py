"""sitemap-near-limit: at least 90 % of the allowed entries or bytes, but not more than allowed."""

import json

import pytest

from sitemapaudit.items import Kind, Sitemap
from tests.rules.sitemap.files import PAGE, read, response, row_of
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "sitemap-near-limit"
FORMATS = [Kind.URLSET, Kind.SITEMAPINDEX, Kind.TEXT, Kind.RSS, Kind.ATOM]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    ("entries", "size", "expected"),
    [
        (1, 100, []),
        (44_999, 47_185_919, []),
        (45_000, 100, ["notice"]),
        (1, 47_185_920, ["notice"]),
        (45_000, 47_185_920, ["notice"]),
        (50_000, 52_428_800, ["notice"]),
        (50_001, 100, []),
        (1, 52_428_801, []),
        (45_000, 52_428_801, []),
        (50_001, 47_185_920, []),
    ],
)
def test_both_limits(kind: Kind, entries: int, size: int, expected: list[str]) -> None:
    row = Sitemap(SITEMAP, kind=kind, entries=entries, bytes=size)
    assert severities(RULE, row) == expected


def test_the_bytes_of_a_file_count() -> None:
    row = row_of(f"{PAGE}\n".encode().ljust(47_185_920))
    assert (row.bytes, severities(RULE, row)) == (47_185_920, ["notice"])


@pytest.mark.parametrize(("count", "expected"), [(44_999, []), (45_000, ["notice"])])
def test_blank_lines_of_a_text_file_are_not_entries(count: int, expected: list[str]) -> None:
    assert severities(RULE, row_of(f"{PAGE}\n\n" * count)) == expected


@pytest.mark.parametrize("kind", [Kind.HTML, Kind.UNKNOWN])
def test_a_file_that_is_not_a_sitemap_is_not_checked(kind: Kind) -> None:
    assert severities(RULE, Sitemap(SITEMAP, kind=kind, bytes=47_185_920)) == []


def test_a_truncated_file_is_not_reported() -> None:
    row = read(response(f"{PAGE}\n" * 45_000, truncated=True))
    assert (row.entries >= 44_999, severities(RULE, row)) == (True, [])


def test_message_and_evidence() -> None:
    (finding,) = found(RULE, Sitemap(SITEMAP, kind=Kind.URLSET, entries=45_000, bytes=1_234_567))
    assert finding.message == (
        "has 45,000 of the 50,000 entries and 1,234,567 of the 52,428,800 bytes that are allowed"
    )
    assert finding.sitemap == SITEMAP
    assert json.loads(finding.evidence or "") == {"entries": 45_000, "bytes": 1_234_567}
