"""The only way of the browser to the network: a proxy on loopback that minds the allowance.

A page is not trusted, and may load, link to or connect with addresses of the
network that the browser stands in. Names are resolved here, so that one which
resolves differently the second time gains nothing.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from sitemapaudit.crawling.addresses import Allowance

LOOPBACK: Final = "127.0.0.1"
_MAX_HEAD: Final = 65_536
_PIECE: Final = 65_536
_CONNECT_TIME: Final = 30
_HOP_BY_HOP: Final = (b"proxy-", b"connection:", b"keep-alive:", b"upgrade-insecure")

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Gate:
    """Serves from ``open`` to ``close``; each connection carries one request, or one tunnel."""

    def __init__(self) -> None:
        self._socket = socket.create_server((LOOPBACK, 0))
        self._allowance: Allowance | None = None
        self._server: asyncio.Server | None = None
        self._busy: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """The address of the proxy."""
        return f"http://{LOOPBACK}:{self._socket.getsockname()[1]}"

    async def open(self, allowance: Allowance) -> None:
        """Begin to serve."""
        self._allowance = allowance
        self._server = await asyncio.start_server(self._serve, sock=self._socket, limit=_MAX_HEAD)

    async def close(self) -> None:
        """Stop, and cut what is still connected."""
        if self._server is not None:
            self._server.close()
        self._socket.close()
        for task in self._busy:
            task.cancel()
        await asyncio.gather(*self._busy, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._busy.add(task)
        try:
            await self._answer(reader, writer)
        except (OSError, ValueError, EOFError, asyncio.LimitOverrunError, TimeoutError):
            pass  # Either end may go away, and a page may ask for anything.
        except asyncio.CancelledError:
            pass  # The run is over.
        finally:
            self._busy.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        line, _, rest = head.partition(b"\r\n")
        method, target, version = line.decode("latin-1").split(" ")
        tunnel = method == "CONNECT"
        parts = urlsplit(f"//{target}" if tunnel else target)
        if not tunnel and parts.scheme != "http":
            raise ValueError(target)
        beyond = await self._connect(parts.hostname or "", parts.port or 80)
        if beyond is None:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            beyond[1].write(f"{method} {path} {version}\r\n".encode("latin-1") + _headers(rest))
        await _join((reader, writer), beyond)

    async def _connect(self, host: str, port: int) -> Streams | None:
        """Connect to the first address of a host that is admitted; None if none is."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for address in (str(place[0]) for *_, place in found):
            if self._allowance and self._allowance.admits(host, port, address):
                with suppress(OSError):
                    async with asyncio.timeout(_CONNECT_TIME):
                        return await asyncio.open_connection(address, port)
        return None


def _headers(head: bytes) -> bytes:
    """Return the headers of a request as they go on: this connection is for one answer."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_BY_HOP)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


async def _join(one: Streams, other: Streams) -> None:
    """Carry bytes both ways until both ends are done."""
    try:
        await asyncio.gather(_carry(one[0], other[1]), _carry(other[0], one[1]))
    finally:
        other[1].close()


async def _carry(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while piece := await source.read(_PIECE):
        sink.write(piece)
        await sink.drain()
    if sink.can_write_eof():
        sink.write_eof()
