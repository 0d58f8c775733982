"""W3C datetimes in all formats, RFC 822 dates, and texts that are neither."""

import tracemalloc
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.sitemaps.w3c_dates import DateFormat, is_day, rfc822_datetime, w3c_datetime


def at(*numbers: int) -> datetime:
    names = ("year", "month", "day", "hour", "minute", "second", "microsecond")
    parts: dict[str, Any] = {"month": 1, "day": 1} | dict(zip(names, numbers, strict=False))
    return datetime(**parts, tzinfo=UTC)


VALID = [
    # The six formats of the note.
    ("1997", at(1997), DateFormat.YEAR),
    ("1997-07", at(1997, 7), DateFormat.MONTH),
    ("1997-07-16", at(1997, 7, 16), DateFormat.DATE),
    ("1997-07-16T19:20+01:00", at(1997, 7, 16, 18, 20), DateFormat.MINUTES),
    ("1997-07-16T19:20:30+01:00", at(1997, 7, 16, 18, 20, 30), DateFormat.SECONDS),
    ("1997-07-16T19:20:30.45+01:00", at(1997, 7, 16, 18, 20, 30, 450_000), DateFormat.SECONDS),
    # Zones.
    ("1994-11-05T08:15:30-05:00", at(1994, 11, 5, 13, 15, 30), DateFormat.SECONDS),
    ("1994-11-05T13:15:30Z", at(1994, 11, 5, 13, 15, 30), DateFormat.SECONDS),
    ("2026-01-01T00:30+05:30", at(2025, 12, 31, 19, 0), DateFormat.MINUTES),
    ("2026-01-01T00:00:00-00:00", at(2026), DateFormat.SECONDS),
    ("2026-01-01T00:00:00+14:00", at(2025, 12, 31, 10), DateFormat.SECONDS),
    # Fractions of any length; digits after the microseconds are dropped.
    ("2026-01-01T00:00:00.1Z", at(2026, 1, 1, 0, 0, 0, 100_000), DateFormat.SECONDS),
    ("2026-01-01T00:00:00.123456789Z", at(2026, 1, 1, 0, 0, 0, 123_456), DateFormat.SECONDS),
    (f"2026-01-01T00:00:00.{'9' * 200}Z", at(2026, 1, 1, 0, 0, 0, 999_999), DateFormat.SECONDS),
    # A time without a zone.
    ("2026-01-01T10:20", at(2026, 1, 1, 10, 20), DateFormat.NO_ZONE),
    ("2026-01-01T10:20:30", at(2026, 1, 1, 10, 20, 30), DateFormat.NO_ZONE),
    ("2026-01-01T10:20:30.5", at(2026, 1, 1, 10, 20, 30, 500_000), DateFormat.NO_ZONE),
    # Surrounding white space, and the ends of the calendar.
    ("\n 2026-01-01\t", at(2026), DateFormat.DATE),
    ("2024-02-29", at(2024, 2, 29), DateFormat.DATE),
    ("0001-01-01", at(1), DateFormat.DATE),
    ("9999-12-31", at(9999, 12, 31), DateFormat.DATE),
]

FORMATS = ["YYYY", "YYYY-MM", "YYYY-MM-DD", "YYYY-MM-DDThh:mmTZD", "YYYY-MM-DDThh:mm:ssTZD"]


def test_the_names_of_the_formats_are_those_of_the_note() -> None:
    assert [*DateFormat] == [*FORMATS, "a time without a zone"]


INVALID = [
    "",
    " ",
    "today",
    "26",
    "20260101",
    "2026-1-1",
    "2026-1",
    "2026/01/01",
    "01.01.2026",
    "01-02-2026",
    "2026-W01-1",
    "2026-001",
    "2026-01-01 10:20:30Z",
    "2026-01-01t10:20:30z",
    "2026-01-01T10:20:30 Z",
    "2026-01-01T10:20:30z",
    "2026-01-01T10:20:30+0100",
    "2026-01-01T10:20:30+01",
    "2026-01-01T10:20:30 +01:00",
    "2026-01-01T10:20:30UTC",
    "2026-01-01T10Z",
    "2026-01-01T",
    "2026-01-01Z",
    "2026-01-01+01:00",
    "2026-01-01T10:20:30,5Z",
    "2026-01-01T10:20:30.Z",
    "2026-01T10:20Z",
    # A day, hour or zone that does not exist.
    "0000-01-01",
    "2026-00-01",
    "2026-13-01",
    "2026-02-29",
    "2026-04-31",
    "2026-01-00",
    "2026-01-01T24:00Z",
    "2026-01-01T10:60Z",
    "2026-01-01T10:20:60Z",
    "2026-01-01T10:20+24:00",
    "2026-01-01T10:20+01:60",
    # Digits that are not ASCII digits.
    "202\u0666-01-01",
    "2026-01-01T1\uff10:20Z",
    "-2026-01-01",
    "+2026-01-01",
    "2026-01-01\n2026-01-02",
    "2026-01-01 2026-01-02",
    "&date;",
]


@pytest.mark.parametrize(("text", "moment", "date_format"), VALID)
def test_valid_dates(text: str, moment: datetime, date_format: DateFormat) -> None:
    parsed = w3c_datetime(text)
    assert parsed is not None
    assert parsed.at == moment
    assert parsed.at.tzinfo is UTC
    assert parsed.format is date_format
    assert is_day(text.strip()) is (date_format is DateFormat.DATE)


@pytest.mark.parametrize("text", INVALID)
def test_invalid_dates(text: str) -> None:
    assert w3c_datetime(text) is None


@pytest.mark.parametrize("text", ["0001-01-01T00:00+01:00", "9999-12-31T23:59:59-01:00"])
def test_dates_at_the_ends_of_the_calendar(text: str) -> None:
    parsed = w3c_datetime(text)
    assert parsed is not None
    assert parsed.at.year == int(text[:4])


@given(
    st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29)),  # noqa: DTZ001 - the zone is added below
    st.integers(-23 * 60 - 59, 23 * 60 + 59),
)
def test_any_datetime_round_trips(local: datetime, minutes: int) -> None:
    sign = "-" if minutes < 0 else "+"
    zone = f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    parsed = w3c_datetime(f"{local.isoformat()}{zone}")
    assert parsed is not None
    assert parsed.at == local.replace(tzinfo=UTC) - timedelta(minutes=minutes)


PIECES = st.sampled_from("0123456789-:TZ+. ")


@given(st.text() | st.text(PIECES, max_size=30))
def test_any_text_is_a_date_in_utc_or_invalid(text: str) -> None:
    parsed = w3c_datetime(text)
    assert parsed is None or parsed.at.tzinfo is UTC


RFC822 = [
    ("Sat, 07 Sep 2002 00:00:01 GMT", at(2002, 9, 7, 0, 0, 1)),
    ("07 Sep 2002 00:00:01 GMT", at(2002, 9, 7, 0, 0, 1)),
    ("Sat, 07 Sep 02 00:00:01 GMT", at(2002, 9, 7, 0, 0, 1)),
    ("Sat, 7 Sep 2002 01:00 +0100", at(2002, 9, 7, 0, 0, 0)),
    ("Sat, 07 Sep 2002 00:00:01 EST", at(2002, 9, 7, 5, 0, 1)),
    (" Sat, 07 Sep 2002 00:00:01 -0000\n", at(2002, 9, 7, 0, 0, 1)),
]


@pytest.mark.parametrize(("text", "moment"), RFC822)
def test_valid_rfc822_dates(text: str, moment: datetime) -> None:
    parsed = rfc822_datetime(text)
    assert parsed == moment
    assert parsed.tzinfo is UTC


@pytest.mark.parametrize("text", ["", " ", "today", "Sat, 31 Sep 2002 00:00:01 GMT", "&date;"])
def test_invalid_rfc822_dates(text: str) -> None:
    assert rfc822_datetime(text) is None


WORDS = st.sampled_from(
    ["Sat,", "31", "Sep", "2002", "99999", "25:61:61", "+9999", "GMT", "(", '"']
)


@given(st.text() | st.lists(WORDS | st.text(max_size=3)).map(" ".join))
def test_any_text_is_an_rfc822_date_in_utc_or_invalid(text: str) -> None:
    parsed = rfc822_datetime(text)
    assert parsed is None or parsed.tzinfo is UTC


def test_long_texts_are_not_cached() -> None:
    tracemalloc.start()
    for number in range(100):
        assert w3c_datetime(f"{number}{'x' * 1_000_000}") is None
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 2_000_000
