"""Requests on connections that aiohttp keeps open.

For each request, aiohttp makes a request, a writer, a timer, cookies and a response, which takes
twice as long as what is left here. It alone opens connections: it resolves names to allowed
addresses, checks certificates and knows proxies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sitemapaudit import urls
from sitemapaudit.crawling.private_api import exchange_heads, take_kept_connection

if TYPE_CHECKING:
    from ssl import SSLContext

    from aiohttp import ClientSession, StreamReader
    from aiohttp.connector import Connection

METHODS: Final = ("GET", "HEAD")
"""The methods of requests without a body."""

RawHeaders = tuple[tuple[bytes, bytes], ...]


@dataclass(slots=True)
class Reply:
    """The head of a response, and its body as a stream."""

    status: int
    headers: Mapping[str, str]
    raw_headers: RawHeaders
    content: StreamReader


class KeptConnections:
    """The connections of a session that wait for their next request.

    Each request has ``headers``. ``params`` are the limits of its response, as aiohttp names them.
    """

    def __init__(
        self, session: ClientSession, headers: Mapping[str, str], params: Mapping[str, int]
    ) -> None:
        self._session = session
        self._headers = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._params = params
        self._usable = all(map(str.isprintable, (*headers, *headers.values())))

    async def take(self, url: str, tls: SSLContext | None) -> Connection | None:
        """Return a connection to the origin of a normalized URL; None if there is none."""
        if not (self._usable and url.isascii() and url.isprintable()) or " " in url:
            return None
        return await take_kept_connection(self._session, urls.host(url), urls.port(url), tls)

    async def exchange(
        self,
        connection: Connection,
        method: str,
        url: str,
        seconds: float,
        read: Callable[[Reply], Awaitable[bytes]],
    ) -> tuple[Reply, bytes]:
        """Send a request; return the response, and its body as ``read`` returns it.

        The connection is kept again if the whole body was read. Raises aiohttp's ClientError, its
        HttpProcessingError, OSError and ValueError; TimeoutError after so many seconds.
        """
        try:
            async with asyncio.timeout(seconds or None):
                reply = await self._send(connection, method, url)
                body = await read(reply)
        except BaseException:
            connection.close()
            raise
        connection.release()
        return reply, body

    async def _send(self, connection: Connection, method: str, url: str) -> Reply:
        start = f"{method} {urls.request_target(url)} HTTP/1.1\r\nHost: {urls.authority(url)}\r\n"
        head = f"{start}{self._headers}\r\n".encode()
        message, content = await exchange_heads(
            connection, head, skip_payload=method == "HEAD", **self._params
        )
        return Reply(message.code, message.headers, message.raw_headers, content)
