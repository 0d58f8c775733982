"""What a server said to one request, before anybody reads it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from sitemapaudit import urls
from sitemapaudit.items import Error

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""Statuses that send the client elsewhere by ``Location`` (RFC 9110 section 15.4)."""


@dataclass(slots=True)
class Answer:
    """One answer, or the reason why there is none; redirects are answers too.

    ``headers`` has lower-case names and every line's value in order.
    ``body`` is as sent, Content-Encoding not undone; ``cut`` says that reading
    stopped at a limit of ours, ``skipped`` that it was not asked for.
    """

    url: str
    status: int | None = None
    headers: dict[str, list[str]] = field(default_factory=dict)
    body: bytes = b""
    error: Error | None = None
    error_detail: str | None = None
    cut: bool = False
    skipped: bool = False
    elapsed: float | None = None
    retries: int = 0
    fetched_at: datetime | None = None

    def header(self, name: str) -> str | None:
        """Return the last value of a header, or None."""
        values = self.headers.get(name)
        return values[-1] if values else None

    def lines(self, name: str) -> list[str]:
        """Return every line of a header."""
        return self.headers.get(name, [])

    def time(self, name: str) -> datetime | None:
        """Return a header as a time in UTC (RFC 9110 section 5.6.7), None if it is not one."""
        value = self.header(name)
        return http_date(value) if value else None

    def target(self) -> str | None:
        """Return where ``Location`` points, normalised; None if nowhere that can be asked for."""
        location = (self.header("location") or "").strip()
        return urls.normalise(location, self.url) if location else None

    @property
    def media_type(self) -> str | None:
        """The media type in lower case, without parameters."""
        value = self.header("content-type")
        return value.partition(";")[0].strip().lower() or None if value else None

    @property
    def charset(self) -> str | None:
        """The charset parameter of Content-Type, lower case."""
        parameters = (self.header("content-type") or "").split(";")[1:]
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "charset":
                return value.strip().strip("\"'").lower() or None
        return None


def http_date(value: str) -> datetime | None:
    """Parse an RFC 822, RFC 850 or asctime date as UTC; None if it is none of them."""
    try:
        return in_utc(parsedate_to_datetime(value.strip()))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def in_utc(moment: datetime) -> datetime:
    """Return a time in UTC; one without a zone is taken as UTC.

    Where the calendar ends before that, its first or last instant stands for it.
    """
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        if moment.year == 1:
            return datetime.min.replace(tzinfo=UTC)
        return datetime.max.replace(tzinfo=UTC)
