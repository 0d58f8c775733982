"""The dates of sitemaps: W3C datetimes, and RFC 822 dates in RSS."""

import re
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from functools import lru_cache
from typing import Final

from msgspec import Struct

from sitemapaudit.http.dates import parse_http_date, to_utc

_W3C: Final = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)"
    r"(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?)?)?",
    re.ASCII,
)


EARLIEST: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The earliest lastmod that Search Console accepts; Google does not document it."""


class DateFormat(StrEnum):
    """The formats of a W3C datetime (W3C NOTE-datetime), and one without a time zone."""

    YEAR = "YYYY"
    MONTH = "YYYY-MM"
    DATE = "YYYY-MM-DD"
    MINUTES = "YYYY-MM-DDThh:mmTZD"
    SECONDS = "YYYY-MM-DDThh:mm:ssTZD"
    NO_ZONE = "a time without a zone"


class ParsedDate(Struct, frozen=True):
    """A parsed date: its first instant in UTC, and the format in which it was written.

    A date without a time starts at midnight UTC, and a time without a zone counts as UTC.
    """

    at: datetime
    format: DateFormat


def w3c_datetime(text: str) -> ParsedDate | None:
    """Parse a W3C datetime; return None if it has another format, or the day does not exist."""
    date = text.strip()
    return cached_datetime(date) if len(date) <= MAX_CACHED_LENGTH else _parse(date)


def is_day(text: str) -> bool:
    """Return whether a valid date is YYYY-MM-DD: no other format has this length and hyphens."""
    return len(text) == 10 and text[4] == "-" == text[7]


def _parse(text: str) -> ParsedDate | None:
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
    return ParsedDate(to_utc(at), _detect_format(month, day, hour, second, zone))


MAX_CACHED_LENGTH: Final = 40
"""Characters of a date; longer texts are not dates, and would waste memory."""

cached_datetime: Final = lru_cache(maxsize=16_384)(_parse)
"""``w3c_datetime`` of a short, trimmed text, cached: a file has few different dates."""


def rfc822_datetime(text: str) -> datetime | None:
    """Parse the date of an RSS item (RSS 2.0: "all date-times conform to RFC 822")."""
    return parse_http_date(text)


def _zone(zone: str | None) -> timezone:
    if zone is None or zone == "Z":
        return UTC
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 23 or minutes > 59:
        raise ValueError(zone)
    offset = timedelta(hours=hours, minutes=minutes)
    return timezone(-offset if zone[0] == "-" else offset)


def _detect_format(
    month: str | None, day: str | None, hour: str | None, second: str | None, zone: str | None
) -> DateFormat:
    if hour is not None:
        if zone is None:
            return DateFormat.NO_ZONE
        return DateFormat.MINUTES if second is None else DateFormat.SECONDS
    if day is not None:
        return DateFormat.DATE
    return DateFormat.YEAR if month is None else DateFormat.MONTH
