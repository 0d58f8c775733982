"""The response to one request, before anything reads it."""

import re
from datetime import datetime
from typing import Final

from msgspec import Struct, field

from sitemapaudit import urls
from sitemapaudit.http.dates import parse_http_date
from sitemapaudit.items import Error
from sitemapaudit.redaction import HIDDEN

HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
"""The media types of HTML."""

_SECRET: Final = re.compile(
    r"cookie|authorization|authentication-info|token|secret|api-?key|session|password"
)
"""Parts of the names of headers whose values identify a visitor or open something."""


class Response(Struct):
    """One response, or the reason why there is none; a redirect is a response too.

    ``headers`` maps lower-case names to the values of all their lines, in order. ``body`` is as
    sent: ``codings`` are not undone. ``truncated`` means that reading stopped at one of our
    limits, ``skipped`` that the body was deliberately not read. ``elapsed`` is in seconds.
    ``file`` is the file of the build that the response comes from, if any.
    """

    url: str
    status: int | None = None
    headers: dict[str, list[str]] = field(default_factory=dict)
    body: bytes = b""
    error: Error | None = None
    error_detail: str | None = None
    truncated: bool = False
    skipped: bool = False
    elapsed: float | None = None
    retries: int = 0
    fetched_at: datetime | None = None
    file: str | None = None

    def header(self, name: str) -> str | None:
        """Return the last value of a header, or None."""
        values = self.headers.get(name)
        return values[-1] if values else None

    def header_lines(self, name: str) -> list[str]:
        """Return the values of all lines of a header."""
        return self.headers.get(name, [])

    def header_time(self, name: str) -> datetime | None:
        """Return a header as a time in UTC; None if it is not a date (RFC 9110 section 5.6.7)."""
        value = self.header(name)
        return parse_http_date(value) if value else None

    def redirect_target(self) -> str | None:
        """Return the normalized URL of ``Location``; None if it is not a valid http(s) URL."""
        location = (self.header("location") or "").strip()
        return urls.normalize(location, self.url) if location else None

    @property
    def header_texts(self) -> list[str]:
        """The headers as ``name: value``, by name; values of cookies and other secrets are hidden.

        The order of lines with different names means nothing (RFC 9110 section 5.3), and is lost on
        some ways through Scrapy.
        """
        return [
            f"{name}: {HIDDEN if _SECRET.search(name) else value}"
            for name, values in sorted(self.headers.items())
            for value in values
        ]

    @property
    def codings(self) -> list[str]:
        """The codings of the body in the order in which they were applied.

        A transfer coding comes after a content coding (RFC 9112 section 6.1); that of the chunks is
        undone.
        """
        transfer = (
            name for line in self.header_lines("transfer-encoding") for name in line.split(",")
        )
        others = [name for name in transfer if name.strip().lower() != "chunked"]
        return [*self.header_lines("content-encoding"), *others]

    @property
    def media_type(self) -> str | None:
        """The media type in lower case, without parameters."""
        value = self.header("content-type")
        return value.partition(";")[0].strip().lower() or None if value else None

    @property
    def charset(self) -> str | None:
        """The charset parameter of Content-Type in lower case."""
        parameters = (self.header("content-type") or "").split(";")[1:]
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "charset":
                return value.strip().strip("\"'").lower() or None
        return None
