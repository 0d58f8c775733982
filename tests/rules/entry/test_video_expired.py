"""video-expired: the expiration date is past; that of a day, if it has ended everywhere."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.rules.entry.extended import positions, run_of, video
from tests.rules.sitemap.files import PAGE, url
from tests.support import NOW, SITEMAP, rule_on

RULE = "video-expired"
CASES = {
    "2026-11-21T12:00:00Z": False,
    "2026-11-21T11:59:59Z": True,
    "2026-11-21T11:59:59.999Z": True,
    "2026-11-21T12:00:01Z": False,
    "2026-11-21T13:00:00+01:00": False,
    "2026-11-21T12:59:59+01:00": True,
    "2026-11-21T06:59-05:00": True,
    "2026-11-21T07:00-05:00": False,
    "\n      2026-11-21T11:59:59Z\n    ": True,
    "2009-11-05": True,
    "2026-11-20": False,
    "\n      2026-11-20\n    ": False,
    "2026-11-19": True,
    " 2026-11-19 \t ": True,
    "\n      2026-11-19\n    ": True,
    "2026-11-21": False,
    "2030-01-01": False,
    "0001-01-01": True,
    "9999-12-31": False,
    # Of what follows, video-value-invalid says that it is no date.
    "2020": False,
    "2020-01": False,
    "2020-01-01T12:00:00": False,
    "01/01/2020": False,
    "": False,
}


def entries(dates: list[str]) -> list[str]:
    return [url(PAGE, video(expiration_date=date)) for date in dates]


def test_date(tmp_path: Path) -> None:
    run = run_of(tmp_path, *entries([*CASES]))
    told = positions(run, RULE)
    assert {date: place in told for place, date in enumerate(CASES, start=1)} == CASES


@pytest.mark.parametrize(
    ("after", "expected"), [(timedelta(), []), (timedelta(microseconds=1), [1])]
)
def test_a_day_has_ended_after_36_hours(
    tmp_path: Path, after: timedelta, expected: list[int]
) -> None:
    at = datetime(2026, 11, 21, 12, tzinfo=UTC) + after
    assert positions(run_of(tmp_path, *entries(["2026-11-20"]), at=at), RULE) == expected


def test_silent_without_a_date_or_a_fetch(tmp_path: Path) -> None:
    assert positions(run_of(tmp_path / "a", url(PAGE, video()), url(), at=NOW), RULE) == []
    assert positions(run_of(tmp_path / "b", *entries(["2009-11-05"]), at=None), RULE) == []


def test_message_and_place(tmp_path: Path) -> None:
    past = video(expiration_date="\n 2009-11-05\n ")
    run = run_of(tmp_path, url(), url(PAGE, video() + past + past))
    assert sorted(rule_on(run, RULE)) == [
        (PAGE, "notice", f"video {ordinal} expired on 2009-11-05") for ordinal in (2, 3)
    ]
    (place,) = {
        (row.sitemap, row.position) for row in run.findings.itertuples() if row.rule == RULE
    }
    assert place == (SITEMAP, 2)
