"""video-expired: the expiration date has passed; a day, in every time zone."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.rules.entry.extended import audit_entries, positions, video
from tests.rules.sitemap.files import PAGE, url
from tests.rules.tables import rule_on
from tests.support.rows import NOW, SITEMAP

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
    # video-value-invalid reports these.
    "2020": False,
    "2020-01": False,
    "2020-01-01T12:00:00": False,
    "01/01/2020": False,
    "": False,
}


def entries(dates: list[str]) -> list[str]:
    return [url(PAGE, video(expiration_date=date)) for date in dates]


def test_date() -> None:
    found = positions(audit_entries(RULE, *entries([*CASES])), RULE)
    assert {date: number in found for number, date in enumerate(CASES, start=1)} == CASES


@pytest.mark.parametrize(
    ("after", "expected"), [(timedelta(), []), (timedelta(microseconds=1), [1])]
)
def test_a_day_has_ended_everywhere_after_36_hours(after: timedelta, expected: list[int]) -> None:
    fetched_at = datetime(2026, 11, 21, 12, tzinfo=UTC) + after
    tables = audit_entries(RULE, *entries(["2026-11-20"]), fetched_at=fetched_at)
    assert positions(tables, RULE) == expected


def test_no_finding_without_a_date_or_a_fetch_time() -> None:
    assert positions(audit_entries(RULE, url(PAGE, video()), url(), fetched_at=NOW), RULE) == []
    assert positions(audit_entries(RULE, *entries(["2009-11-05"]), fetched_at=None), RULE) == []


def test_message_and_place() -> None:
    past = video(expiration_date="\n 2009-11-05\n ")
    tables = audit_entries(RULE, url(), url(PAGE, video() + past + past))
    assert sorted(rule_on(tables, RULE)) == [
        (PAGE, "notice", f"video {ordinal} expired on 2009-11-05") for ordinal in (2, 3)
    ]
    assert positions(tables, RULE) == [2, 2]
    assert set(tables.findings[tables.findings["rule"] == RULE]["sitemap"]) == {SITEMAP}
