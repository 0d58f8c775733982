"""Requests on connections that aiohttp keeps open.

For each request, aiohttp creates a request, a writer, a timer, cookies and a response, which takes
twice as long as this module. Only aiohttp opens connections: it resolves names to allowed
addresses, checks certificates and knows proxies.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from ssl import SSLContext

from aiohttp import ClientSession
from aiohttp.connector import Connection

from sitemapaudit import urls
from sitemapaudit.engine.quick_aiohttp import (
    exchange_heads,
    limit_response_heads,
    send_once,
    take_kept_connection,
)
from sitemapaudit.fetching.plain_request import PlainRequest, ResponseHead, are_plain


class KeptConnections:
    """The idle connections of a session.

    Each request has ``headers``. ``params`` are the limits of responses, by aiohttp's names;
    ``head_bytes`` limits the bytes before a body. ``doubt`` receives the URLs whose responses can
    belong to other requests. The session has opened none yet.
    """

    def __init__(
        self,
        session: ClientSession,
        headers: Mapping[str, str],
        params: Mapping[str, int],
        head_bytes: int,
        doubt: Callable[[list[str]], None],
    ) -> None:
        self._session = session
        self._limit_heads = partial(limit_response_heads, limit=head_bytes, doubt=doubt)
        self.limit_responses(session)
        self._lines = {name.lower(): f"{name}: {value}\r\n" for name, value in headers.items()}
        self._common = "".join(self._lines.values())
        self._params = params
        self._usable = are_plain(headers)

    def limit_responses(self, session: ClientSession) -> None:
        """Let each connection of a session, which has opened none yet, read one response."""
        self._limit_heads(session)
        send_once(session)

    async def take(self, request: PlainRequest, tls: SSLContext | None) -> Connection | None:
        """Return a connection for a request; None if there is none or the request needs aiohttp."""
        if not (self._usable and request.is_writable):
            return None
        host, port = urls.host(request.url), urls.port(request.url)
        return await take_kept_connection(self._session, host, port, tls)

    async def exchange(
        self,
        connection: Connection,
        request: PlainRequest,
        seconds: float,
        read: Callable[[ResponseHead], Awaitable[bytes]],
    ) -> tuple[ResponseHead, bytes]:
        """Send a request; return the response, and its body as ``read`` returns it.

        The connection is kept again if the whole body was read. Raises aiohttp's ClientError, its
        HttpProcessingError, OSError and ValueError; TimeoutError after ``seconds``.
        """
        try:
            async with asyncio.timeout(seconds or None):
                reply = await self._send(connection, request)
                body = await read(reply)
        except BaseException:
            connection.close()
            raise
        connection.release()
        return reply, body

    async def _send(self, connection: Connection, request: PlainRequest) -> ResponseHead:
        method, url = request.method, request.url
        lines = self._merge(request.headers) if request.headers else self._common
        start = f"{method} {urls.request_target(url)} HTTP/1.1\r\nHost: {urls.authority(url)}\r\n"
        head = f"{start}{lines}\r\n".encode()
        message, content = await exchange_heads(
            connection, head, skip_payload=method == "HEAD", **self._params
        )
        return ResponseHead(message.code, message.headers, message.raw_headers, content)

    def _merge(self, own: Mapping[str, str]) -> str:
        """Return the lines of all headers of a request; its own replace the common ones."""
        lines = {name.lower(): f"{name}: {value}\r\n" for name, value in own.items()}
        return "".join((self._lines | lines).values())
