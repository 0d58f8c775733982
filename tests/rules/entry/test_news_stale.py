"""news-stale: an article from more than two days before the fetch, or from after it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.rules.entry.extended import news, positions, run_of
from tests.rules.sitemap.files import PAGE, url
from tests.support import SITEMAP, rule_on

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
    # Of what follows, news-value-invalid says that it is no date.
    "2020": False,
    "2020-01": False,
    "2020-01-01T12:00:00": False,
    "yesterday": False,
    "": False,
}


def entries(*dates: str) -> list[str]:
    return [url(PAGE, news(publication_date=date)) for date in dates]


def test_date(tmp_path: Path) -> None:
    told = positions(run_of(tmp_path, *entries(*CASES)), RULE)
    assert {date: place in told for place, date in enumerate(CASES, start=1)} == CASES


@pytest.mark.parametrize(
    ("date", "moment", "expected"),
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
def test_edge(tmp_path: Path, date: str, moment: datetime, expected: list[int]) -> None:
    assert positions(run_of(tmp_path, *entries(date), at=moment), RULE) == expected


def test_silent_without_a_date_or_a_fetch(tmp_path: Path) -> None:
    bare = url(PAGE, news(publication_date=None))
    assert positions(run_of(tmp_path / "a", bare, url()), RULE) == []
    assert positions(run_of(tmp_path / "b", *entries("2020-01-01"), at=None), RULE) == []


def test_message_and_place(tmp_path: Path) -> None:
    run = run_of(tmp_path, url(), *entries("\n 2026-11-17\n ", "2026-11-21T15:00:00Z"))
    assert rule_on(run, RULE) == [
        (PAGE, "warning", "was published on 2026-11-17, more than two days before the fetch"),
        (PAGE, "warning", "was published on 2026-11-21T15:00:00Z, after the fetch"),
    ]
    assert positions(run, RULE) == [2, 3]
    assert set(run.findings[run.findings["rule"] == RULE]["sitemap"]) == {SITEMAP}
