"""A date is in UTC or invalid; a W3C datetime round-trips."""

from datetime import timedelta

from sitemapaudit.pages.directives import parse_unavailable_after
from sitemapaudit.sitemaps.w3c_dates import rfc822_datetime, w3c_datetime

WORDS = (
    b"2026-11-21", b"T12:00", b":59", b".999999999", b"Z", b"+14:00", b"-23:59", b"0001-01-01",
    b"9999-12-31", b"Sat, 21 Nov 2026 12:00:00 GMT", b"Saturday, 21-Nov-26", b"Nov", b"+0100",
    b" EST", b"(", b")", b"2026-W01-1",
)  # fmt: skip


def check(data: bytes) -> None:
    """Parse a text in all formats."""
    text = data.decode(errors="replace")
    for at in (rfc822_datetime(text), parse_unavailable_after(text)):
        assert at is None or at.utcoffset() == timedelta(0)
    parsed = w3c_datetime(text)
    if parsed is not None:
        assert parsed.at.utcoffset() == timedelta(0)
        again = w3c_datetime(parsed.at.isoformat())
        assert again is not None
        assert again.at == parsed.at
