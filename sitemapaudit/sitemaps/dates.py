"""Dates as sitemaps write them: W3C datetimes, and RFC 822 in RSS."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from functools import lru_cache
from typing import Final

from sitemapaudit.answer import http_date, in_utc

_W3C: Final = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)"
    r"(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?",
    re.ASCII,
)


class Form(StrEnum):
    """The shapes of a W3C datetime (W3C NOTE-datetime), and one that lacks its zone."""

    YEAR = "YYYY"
    MONTH = "YYYY-MM"
    DATE = "YYYY-MM-DD"
    MINUTES = "YYYY-MM-DDThh:mmTZD"
    SECONDS = "YYYY-MM-DDThh:mm:ssTZD"
    NO_ZONE = "a time without a zone"


@dataclass(slots=True, frozen=True)
class Moment:
    """A date as it was meant: its first instant in UTC, and the form it had.

    A date without a time begins at midnight UTC, and a time without a zone is
    taken as UTC: neither says more.
    """

    at: datetime
    form: Form


def w3c_datetime(text: str) -> Moment | None:
    """Parse a W3C datetime; None if it has none of the forms, or no such day exists."""
    date = text.strip()
    return _known(date) if len(date) <= _USUAL_LENGTH else _parse(date)


def _parse(text: str) -> Moment | None:
    match = _W3C.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        at = datetime(
            int(year),
            int(month or 1),
            int(day or 1),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "0")[:6].ljust(6, "0")),
            tzinfo=_zone(zone),
        )
    except ValueError:
        return None
    return Moment(in_utc(at), _form(month, day, hour, second, zone))


_USUAL_LENGTH: Final = 40
_known: Final = lru_cache(maxsize=16_384)(_parse)
"""Most dates of a file are the same few; a long text is not worth its memory."""


def rfc822_datetime(text: str) -> datetime | None:
    """Parse the date of an RSS item (RSS 2.0: "all date-times conform to RFC 822")."""
    return http_date(text)


def _zone(zone: str | None) -> timezone:
    if zone is None or zone == "Z":
        return UTC
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 23 or minutes > 59:
        raise ValueError(zone)
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if zone[0] == "-" else offset)


def _form(
    month: str | None, day: str | None, hour: str | None, second: str | None, zone: str | None
) -> Form:
    if hour is not None:
        if zone is None:
            return Form.NO_ZONE
        return Form.MINUTES if second is None else Form.SECONDS
    if day is not None:
        return Form.DATE
    return Form.YEAR if month is None else Form.MONTH
