"""The private parts of aiohttp: requests on open connections, and limits of heads.

Without these parts, each request passes through the whole of aiohttp: see ``http_handler``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from aiohttp import ClientConnectionResetError, ClientSession
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey

from sitemapaudit.engine.one_response import INTERIM, RESPONSE, OneResponse
from sitemapaudit.engine.requested_url import REQUESTED_URL

if TYPE_CHECKING:
    from ssl import SSLContext

    from aiohttp import StreamReader
    from aiohttp.connector import Connection
    from aiohttp.http import RawResponseMessage

__all__ = [
    "RELIED_ON",
    "HeadTooLargeError",
    "exchange_heads",
    "limit_response_heads",
    "send_once",
    "take_kept_connection",
    "try_parts",
]

RELIED_ON: Final = {
    "aiohttp.client.ClientSession": ("_retry_connection",),
    "aiohttp.connector.TCPConnector": ("_factory", "_get"),
    "aiohttp.client_reqrep": ("ConnectionKey",),
    "aiohttp.client_proto": ("ResponseHandler",),
    "aiohttp.client_proto.ResponseHandler": (
        "set_response_params",
        "read",
        "_payload",
        "_parser",
        "_tail",
        "_drain_tail",
        "force_close",
        "transport",
    ),
}
"""The names that are used of each module and class."""

_BYTES_PER_BYTE: Final = 8
"""Bytes that a server can send per byte of the body; a chunk of one byte needs six."""


_MOST_REQUESTS: Final = 1_000
"""Requests on one connection; most servers allow fewer."""

Doubt = Callable[[list[str]], None]
"""Receives the URLs whose responses can belong to other requests."""


class HeadTooLargeError(ValueError):
    """The headers of a response exceed the limit."""


def try_parts(session: ClientSession) -> None:
    """Use the parts once. Raises an exception if one of them has another shape."""
    connector: Any = session.connector
    for owner, names in (
        (session, ("_retry_connection",)),
        (connector, ("_factory", "_get")),
        (ResponseHandler, ("set_response_params", "read", "set_exception", "data_received")),
    ):
        for name in names:
            getattr(owner, name)
    hash(_key("www.example.com", 443, None))
    _Connection(asyncio.get_running_loop(), 1, list.clear).set_response_params(
        read_until_eof=True, auto_decompress=False, skip_payload=False
    )


def send_once(session: ClientSession) -> None:
    """Let aiohttp send each request once: Scrapy repeats requests, and counts that."""
    session._retry_connection = False  # noqa: SLF001


async def take_kept_connection(
    session: ClientSession, host: str, port: int, tls: SSLContext | None
) -> Connection | None:
    """Return an idle connection without a proxy; None if there is none.

    The caller must release or close it.
    """
    connector: Any = session.connector
    key = _key(host, port, tls)
    connection: Connection | None = await connector._get(key, [])  # noqa: SLF001
    return connection


async def exchange_heads(
    connection: Connection, head: bytes, **params: Any
) -> tuple[RawResponseMessage, StreamReader]:
    """Send the head of a request; return the head of its response, and the stream of its body."""
    protocol: Any = connection.protocol
    if protocol is None or protocol.transport is None or protocol.transport.is_closing():
        raise ClientConnectionResetError("Cannot write to closing transport")
    protocol.set_response_params(read_until_eof=True, auto_decompress=False, **params)
    protocol.transport.write(head)
    while True:
        message, content = await protocol.read()
        if message.code not in INTERIM:
            return message, content


def _key(host: str, port: int, tls: SSLContext | None) -> ConnectionKey:
    return ConnectionKey(host, port, tls is not None, tls or True, None, None, None, None)


def limit_response_heads(session: ClientSession, limit: int, doubt: Doubt) -> None:
    """Close connections whose response has more bytes than this before its body."""
    loop = asyncio.get_running_loop()
    factory: partial[Any] = partial(_Connection, loop, limit, doubt)
    connector: Any = session.connector
    connector._factory = factory  # noqa: SLF001


class _Connection(ResponseHandler):
    """A connection that limits the bytes outside the body: heads and chunk sizes.

    A response belongs to its request: data that arrives before the request or behind the response
    ends the connection. It also ends an invalid body. aiohttp closes the connection then, but does
    not inform the reader of the body, which would wait until the request times out.
    """

    _received = 0
    is_used = False

    def __init__(self, loop: asyncio.AbstractEventLoop, limit: int, doubt: Doubt) -> None:
        super().__init__(loop)
        self._limit = limit
        self.doubt = doubt
        self.repeated: list[str] = []

    def set_response_params(self, **params: Any) -> None:
        """Prepare for the next response. Raises ClientConnectionResetError if one is there."""
        if self._tail.startswith(b"HTTP/"):
            self.end(b"")
            raise ClientConnectionResetError("A response came before its request")
        self.note_request()
        self._received, self._payload = 0, None
        self._parser: Any = OneResponse(partial(self.new_parser, params), self.end)
        self._drain_tail()

    def note_request(self) -> None:
        """Remember the URL of a request that is not the first: the first response is certain."""
        if self.is_used:
            self.repeated.append(REQUESTED_URL.get())
            if len(self.repeated) >= _MOST_REQUESTS:
                self.force_close()
        self.is_used = True

    def new_parser(self, params: dict[str, Any]) -> Any:
        tail, self._tail = self._tail, b""
        super().set_response_params(**params)
        self._tail = tail
        return self._parser

    def end(self, following: bytes) -> None:
        """Close the connection after its response, because of these bytes.

        If they begin another response, an earlier one can have been that of another request.
        """
        self.force_close()
        if self.repeated and following and RESPONSE.startswith(following[: len(RESPONSE)]):
            self.doubt(self.repeated)
            self.repeated = []
        if self.transport is not None:
            self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Receive data; fail if too much of it is outside the body."""
        super().data_received(data)
        self._received += len(data)
        error = self.exception()
        if error is not None and self._payload is not None:
            self._payload.set_exception(error)
        body = self._payload.total_bytes if self._payload else 0
        if self._received - _BYTES_PER_BYTE * body > self._limit and self.transport is not None:
            self.set_exception(HeadTooLargeError(f"more than {self._limit:,} bytes"))
            self.transport.abort()
