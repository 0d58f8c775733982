"""news-stale: an article dated more than two days before the fetch, or after it."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.rules.entry.extended import audit_entries, news, positions
from tests.rules.sitemap.files import PAGE, url
from tests.rules.tables import rule_on
from tests.support.rows import SITEMAP

RULE = "news-stale"
CASES = {
    "2026-11-21T12:00:00Z": False,
    "2026-11-19T12:00:00Z": False,
    "2026-11-19T11:59:59Z": True,
    "2026-11-19T13:00:00+01:00": False,
    "2026-11-19T12:59:59+01:00": True,
    "2026-11-19T06:59-05:00": True,
    "\n      2026-11-19T11:59:59Z\n    ": True,
    "\n      2026-11-19T12:00:00Z\n    ": False,
    "2026-11-21T13:00:00Z": False,
    "2026-11-21T13:00:01Z": True,
    "2026-11-21T14:00:00+01:00": False,
    "2026-11-21T14:00:01+01:00": True,
    "2026-11-21": False,
    "2026-11-18": False,
    "\n      2026-11-18\n    ": False,
    "2026-11-17": True,
    "\n      2026-11-17\n    ": True,
    "2026-11-22": False,
    "2026-11-23": True,
    "2020-01-01": True,
    "0001-01-01": True,
    "9999-12-31": True,
    # news-value-invalid reports these.
    "2020": False,
    "2020-01": False,
    "2020-01-01T12:00:00": False,
    "yesterday": False,
    "": False,
}


def entries(*dates: str) -> list[str]:
    return [url(PAGE, news(publication_date=date)) for date in dates]


def test_date() -> None:
    found = positions(audit_entries(RULE, *entries(*CASES)), RULE)
    assert {date: number in found for number, date in enumerate(CASES, start=1)} == CASES


@pytest.mark.parametrize(
    ("date", "fetched_at", "expected"),
    [
        ("2026-11-18", datetime(2026, 11, 18, tzinfo=UTC) + timedelta(hours=84), []),
        (
            "2026-11-18",
            datetime(2026, 11, 18, tzinfo=UTC) + timedelta(hours=84, microseconds=1),
            [1],
        ),
        ("2026-11-22", datetime(2026, 11, 21, 9, 59, 59, tzinfo=UTC), [1]),
        ("2026-11-22", datetime(2026, 11, 21, 10, tzinfo=UTC), []),
        ("2026-11-19T12:00:00Z", datetime(2026, 11, 21, 12, tzinfo=UTC), []),
        ("2026-11-19T12:00:00Z", datetime(2026, 11, 21, 12, 0, 0, 1, tzinfo=UTC), [1]),
    ],
)
def test_limits(date: str, fetched_at: datetime, expected: list[int]) -> None:
    assert positions(audit_entries(RULE, *entries(date), fetched_at=fetched_at), RULE) == expected


def test_no_finding_without_a_date_or_a_fetch_time() -> None:
    bare = url(PAGE, news(publication_date=None))
    assert positions(audit_entries(RULE, bare, url()), RULE) == []
    assert positions(audit_entries(RULE, *entries("2020-01-01"), fetched_at=None), RULE) == []


def test_message_and_place() -> None:
    tables = audit_entries(RULE, url(), *entries("\n 2026-11-17\n ", "2026-11-21T15:00:00Z"))
    assert rule_on(tables, RULE) == [
        (PAGE, "warning", "publication_date 2026-11-17 is more than two days before the fetch"),
        (PAGE, "warning", "publication_date 2026-11-21T15:00:00Z is later than the fetch"),
    ]
    assert positions(tables, RULE) == [2, 3]
    assert set(tables.findings[tables.findings["rule"] == RULE]["sitemap"]) == {SITEMAP}
