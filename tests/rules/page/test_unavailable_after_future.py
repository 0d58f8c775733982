"""unavailable-after-future: a date within 30 days of the fetch, or one that is invalid."""

import pytest

from tests.pages.responses import URL, head, page_of
from tests.support.findings import found, severities

RULE = "unavailable-after-future"


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2026-11-21T12:00:00Z", []),
        ("2026-11-21T12:00:01Z", ["notice"]),
        ("2026-11-22", ["notice"]),
        ("2026-12-21T12:00:00Z", ["notice"]),
        ("2026-12-21T12:00:01Z", []),
        ("2026-12-21T13:00:00+01:00", ["notice"]),
        ("2027-11-21", []),
        ("Mon, 21 Dec 2026 12:00:00 GMT", ["notice"]),
        ("Monday, 21-Dec-26 12:00:00 GMT", ["notice"]),
        ("Monday, 21-Dec-26 12:00:01 GMT", []),
        ("21 Dec 2026 04:00:00 PST", ["notice"]),
        ("9999-12-31T23:59:59-12:00", []),
        ("2026-11-20", []),
        ("0001-01-01T00:00:00+14:00", []),
        ("soon", ["warning"]),
        ("2026-13-01", ["warning"]),
        ("31 Feb 2027 12:00:00 GMT", ["warning"]),
        ("21.12.2026", ["warning"]),
        ("", ["warning"]),
    ],
)
def test_date(date: str, expected: list[str]) -> None:
    tag = page_of(head(f'<meta name="robots" content="unavailable_after: {date}">'))
    header = page_of(head(), f"X-Robots-Tag: unavailable_after: {date}")
    assert severities(RULE, tag) == expected
    assert severities(RULE, header) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("googlebot: unavailable_after: 2026-12-01", ["notice"]),
        ("otherbot: unavailable_after: 2026-12-01", []),
        ("otherbot: unavailable_after: soon", []),
        ("unavailable_after: 2026-12-01, unavailable_after: soon", ["notice", "warning"]),
        ("index, max-snippet: 30", []),
    ],
)
def test_line(line: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), f"X-Robots-Tag: {line}")) == expected


@pytest.mark.parametrize("date", ["2026-12-01", "soon"])
def test_neither_counts_as_noindex(date: str) -> None:
    assert page_of(head(), f"X-Robots-Tag: unavailable_after: {date}").noindex is False


def test_message() -> None:
    (finding,) = found(RULE, page_of(head(), "X-Robots-Tag: unavailable_after: 2026-12-01"))
    assert finding.message == "expires on 2026-12-01T00:00:00+00:00"
    assert finding.url == URL
    (finding,) = found(RULE, page_of(head(), "X-Robots-Tag: unavailable_after: Soon"))
    assert finding.message == "says 'unavailable_after: soon', which is not a date"


def test_nothing_is_reported_if_the_time_of_the_fetch_is_unknown() -> None:
    page = page_of(head(), "X-Robots-Tag: unavailable_after: 2026-12-01")
    page.fetched_at = None
    assert severities(RULE, page) == []
