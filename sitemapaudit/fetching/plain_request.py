"""Requests without a body that need not pass through the whole of aiohttp, and their responses."""

from collections.abc import Mapping
from typing import Final

from aiohttp import StreamReader
from msgspec import Struct

from sitemapaudit.fetching.plain_response import RawHeaders

METHODS: Final = ("GET", "HEAD")
"""The methods of requests without a body."""

_FRAMING: Final = frozenset(
    ("connection", "content-length", "expect", "host", "proxy-authorization", "transfer-encoding")
)
"""Headers that aiohttp interprets; requests with these are left to aiohttp."""


class PlainRequest(Struct, frozen=True):
    """A request without a body: a method, a normalized URL, and its own headers."""

    method: str
    url: str
    headers: Mapping[str, str]

    @property
    def is_writable(self) -> bool:
        """True if it can be written as it is."""
        url, headers = self.url, self.headers
        if self.method not in METHODS or not url.isascii() or " " in url:
            return False
        return url.isprintable() and (not headers or are_plain(headers))


class ResponseHead(Struct):
    """The head of a response, and its body as a stream."""

    status: int
    headers: Mapping[str, str]
    raw_headers: RawHeaders
    content: StreamReader


def are_plain(headers: Mapping[str, str]) -> bool:
    """Return whether aiohttp does not interpret headers, and none contains a line break."""
    printable = all(map(str.isprintable, (*headers, *headers.values())))
    return printable and _FRAMING.isdisjoint(map(str.lower, headers))
