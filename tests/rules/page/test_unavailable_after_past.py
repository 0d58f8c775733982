"""unavailable-after-past: the date is not later than the fetch; it counts as noindex."""

import pytest

from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities
from tests.support.rows import NOW

RULE = "unavailable-after-past"
PAST = '<meta name="robots" content="unavailable_after: 2026-11-20">'


def test_the_page_was_fetched_at_noon() -> None:
    assert NOW.isoformat() == "2026-11-21T12:00:00+00:00"


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2026-11-21T12:00:00Z", ["error"]),
        ("2026-11-21T12:00:01Z", []),
        ("2026-11-21T11:59:59+00:00", ["error"]),
        ("2026-11-21T13:00:00+01:00", ["error"]),
        ("2026-11-21T13:00:01+01:00", []),
        ("2026-11-21T07:00:00-05:00", ["error"]),
        ("2026-11-21T12:00", ["error"]),
        ("2026-11-21", ["error"]),
        ("2026-11-22", []),
        ("Sat, 21 Nov 2026 12:00:00 GMT", ["error"]),
        ("Sat, 21 Nov 2026 12:00:01 GMT", []),
        ("21 Nov 2026 12:00:00 GMT", ["error"]),
        ("21 Nov 2026 04:00:00 PST", ["error"]),
        ("21 Nov 2026 04:00:01 PST", []),
        ("21 Nov 26 12:00:00 GMT", ["error"]),
        ("Sat, 21 Nov 2026 14:00:00 +0200", ["error"]),
        ("Saturday, 21-Nov-26 12:00:00 GMT", ["error"]),
        ("Saturday, 21-Nov-26 12:00:01 GMT", []),
        ("21-Nov-2026 12:00:00 GMT", ["error"]),
        ("0001-01-01T00:00:00+14:00", ["error"]),
        ("9999-12-31T23:59:59-12:00", []),
        ("soon", []),
        ("2026-13-01", []),
        ("", []),
    ],
)
def test_date(date: str, expected: list[str]) -> None:
    tag = page_of(head(f'<meta name="robots" content="unavailable_after: {date}">'))
    header = page_of(head(), f"X-Robots-Tag: unavailable_after: {date}")
    for page in (tag, header):
        assert severities(RULE, page) == expected
        assert page.noindex is bool(expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Unavailable_After: 2026-11-20", ["error"]),
        ("noarchive, unavailable_after: 2026-11-20", ["error"]),
        ("unavailable_after: Fri, 20 Nov 2026 12:00:00 GMT, noarchive", ["error"]),
        ("googlebot: unavailable_after: 2026-11-20", ["error"]),
        ("googlebot: unavailable_after: Friday, 20-Nov-26 12:00:00 GMT", ["error"]),
        ("otherbot: unavailable_after: 2026-11-20", []),
        ("unavailable_after", []),
        ("max-snippet: 2026", []),
    ],
)
def test_line(line: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), f"X-Robots-Tag: {line}")) == expected


def test_several_past_dates_are_one_finding() -> None:
    page = page_of(head(PAST), "X-Robots-Tag: unavailable_after: 2026-11-19")
    (finding,) = found(RULE, page)
    assert finding.message == "expired on 2026-11-19T00:00:00+00:00"
    assert finding.url == URL


def test_nothing_is_reported_if_the_time_of_the_fetch_is_unknown() -> None:
    page = page_of(head(), "X-Robots-Tag: unavailable_after: 2000-01-01")
    page.fetched_at = None
    assert severities(RULE, page) == []
