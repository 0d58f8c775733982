"""The download handler of Scrapy, with an end to the headers of an answer.

Bodies are cut by whoever asks for them; before the body, nobody is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientProtocol,
)
from twisted.python.failure import Failure
from twisted.web._newclient import HEADER, STATUS
from twisted.web.client import _HTTP11ClientFactory

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

MAX_HEAD: Final = 262_144
"""Bytes that an answer may have before its body."""


class HeadTooLargeError(ValueError):
    """The headers of an answer do not end."""


class HttpHandler(HTTP11DownloadHandler):
    """Asks for http and https."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit_heads(self)


def limit_heads(handler: HTTP11DownloadHandler) -> None:
    """Let the connections of a handler end where the headers of an answer do not."""
    handler._pool._factory = _Factory  # noqa: SLF001 - Scrapy sets its own there too


class _Protocol(_LenientHTTP11ClientProtocol):
    """A connection that counts what comes before a body."""

    _head = 0

    def request(self, request: Any) -> Any:
        """Send a request, and begin to count."""
        self._head = 0
        return super().request(request)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - the name is Twisted's
        """Take in what came, unless it is too much."""
        if self._parser is not None and self._parser.state in (STATUS, HEADER):
            self._head += len(data)
            if self._head > MAX_HEAD:
                reason = HeadTooLargeError(f"more than {MAX_HEAD:,} bytes")
                self._giveUp(Failure(reason))  # type: ignore[no-untyped-call]
                return
        super().dataReceived(data)  # type: ignore[no-untyped-call]


class _Factory(_HTTP11ClientFactory):
    noisy = False

    def buildProtocol(self, _: Any) -> _Protocol:  # noqa: N802 - the name is Twisted's
        return _Protocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
