"""Dates in HTTP headers, and times in UTC."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache


@lru_cache(maxsize=256)  # All responses of a second have the same date.
def parse_http_date(value: str) -> datetime | None:
    """Parse an RFC 822, RFC 850 or asctime date as UTC; return None for other formats.

    RFC 9110 section 5.6.7 lists the three formats.
    """
    try:
        return to_utc(parsedate_to_datetime(value.strip()))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def to_utc(moment: datetime) -> datetime:
    """Convert a time to UTC; a time without a zone counts as UTC.

    A time that UTC cannot represent becomes the first or the last instant of the calendar.
    """
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        if moment.year == 1:
            return datetime.min.replace(tzinfo=UTC)
        return datetime.max.replace(tzinfo=UTC)
