"""A date is a time in UTC or none; one in W3C's form is read again as it was meant."""

from datetime import timedelta

from sitemapaudit.pages.directives import date_of
from sitemapaudit.sitemaps.dates import rfc822_datetime, w3c_datetime

WORDS = (
    b"2026-11-21", b"T12:00", b":59", b".999999999", b"Z", b"+14:00", b"-23:59", b"0001-01-01",
    b"9999-12-31", b"Sat, 21 Nov 2026 12:00:00 GMT", b"Saturday, 21-Nov-26", b"Nov", b"+0100",
    b" EST", b"(", b")", b"2026-W01-1",
)  # fmt: skip


def check(data: bytes) -> None:
    """Read a text by all the forms."""
    text = data.decode(errors="replace")
    for at in (rfc822_datetime(text), date_of(text)):
        assert at is None or at.utcoffset() == timedelta(0)
    moment = w3c_datetime(text)
    if moment is not None:
        assert moment.at.utcoffset() == timedelta(0)
        again = w3c_datetime(moment.at.isoformat())
        assert again is not None
        assert again.at == moment.at
