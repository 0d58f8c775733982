"""The state of one request and its response, in the meta of the request."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from sitemapaudit.fetching.body_download import BodyDownload
from sitemapaudit.fetching.shown_response import ShownBody

if TYPE_CHECKING:
    from scrapy import Request

_KEY: Final = "exchange"
_LATENCY: Final = "download_latency"
"""The key that AutoThrottle reads."""


class Exchange(Struct):
    """One request of an audit, and facts about its response.

    ``download`` says how much of the body is wanted. ``rechecked`` says that a failure is repeated
    once more at the end of the run, ``alone`` that the request needs a connection
    without others. ``latency`` is the time until the headers in seconds;
    ``headers_at`` is when they arrived, by ``time.monotonic``. ``time_limit`` is the time in
    seconds until which they should have arrived, if they did not. ``file`` is the file of the build
    that was served, relative to its folder. ``retries`` counts the repetitions. ``shown``
    is the body as other components see it; None if there are none.
    """

    download: BodyDownload = field(default_factory=BodyDownload)
    rechecked: bool = False
    alone: bool = False
    latency: float = 0.0
    headers_at: float | None = None
    time_limit: float | None = None
    file: str | None = None
    retries: int = 0
    shown: ShownBody | None = None

    @classmethod
    def of(cls, request: Request) -> Exchange:
        """Return the exchange of a request; a new one if another component made the request."""
        known: Exchange | None = request.meta.get(_KEY)
        return cls() if known is None else known

    def as_meta(self) -> dict[str, Any]:
        """Return the exchange as meta of its request."""
        return {_KEY: self}

    def note_headers(self, request: Request, began: float) -> None:
        """Record that response headers have just arrived; ``began`` is a monotonic time."""
        self.headers_at = now = time.monotonic()
        self.latency = request.meta[_LATENCY] = now - began


def is_of_audit(request: Request) -> bool:
    """Return whether a request was made by an audit, and not by another component."""
    return _KEY in request.meta
