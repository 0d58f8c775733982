"""The browser's only way to the network: a proxy on loopback that enforces the address policy.

A page is untrusted, and can load, link to or connect to addresses in the network of the auditor.
The proxy resolves host names: a name that resolves differently the second time gains nothing. The
user's own proxy gets all names, which it resolves itself, but no private address.
"""

import asyncio
import socket
from base64 import b64encode
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.proxies import Proxy, proxy_for

LOOPBACK: Final = "127.0.0.1"
_MAX_HEAD: Final = 65_536
_PIECE: Final = 65_536
_CONNECT_TIMEOUT: Final = 30
_HOP_BY_HOP: Final = (b"proxy-", b"connection:", b"keep-alive:", b"upgrade-insecure")

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class BrowserProxy:
    """Serves from ``open`` to ``close``; each connection carries one request or one tunnel."""

    def __init__(self) -> None:
        self._socket = socket.create_server((LOOPBACK, 0))
        self._policy: AddressPolicy | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """The URL of the proxy."""
        return f"http://{LOOPBACK}:{self._socket.getsockname()[1]}"

    async def open(self, policy: AddressPolicy | None) -> None:
        """Start serving; without a policy, every request is refused."""
        self._policy = policy
        self._server = await asyncio.start_server(self._serve, sock=self._socket, limit=_MAX_HEAD)

    async def close(self) -> None:
        """Stop serving, and close all connections."""
        if self._server is not None:
            self._server.close()
        self._socket.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._answer(reader, writer)
        except (OSError, ValueError, EOFError, asyncio.LimitOverrunError, TimeoutError):
            pass  # Either end can disconnect, and a page can request anything.
        except asyncio.CancelledError:
            pass  # The run has ended.
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.readexactly(1)
        if not first.isalpha():
            raise ValueError(first)  # SOCKS, which the browser uses for web sockets.
        head = first + await reader.readuntil(b"\r\n\r\n")
        line, _, rest = head.partition(b"\r\n")
        method, target, version = line.decode("latin-1").split(" ")
        tunnel = method == "CONNECT"
        parts = urlsplit(f"//{target}" if tunnel else target)
        if not tunnel and parts.scheme != "http":
            raise ValueError(target)
        host, port = parts.hostname or "", parts.port or 80
        if self._policy is None or self._policy.refuses(host, port):
            await _refuse(writer)
            return
        proxy = proxy_for("https" if tunnel else "http", host)
        remote = await (_connect_to_proxy(proxy) if proxy else self._connect(host, port))
        if remote is None:
            await _refuse(writer)
            return
        if proxy:
            remote[1].write(line + b"\r\n" + _authorization(proxy) + _headers(rest, tunnel=tunnel))
        elif tunnel:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            remote[1].write(f"{method} {path} {version}\r\n".encode("latin-1") + _headers(rest))
        await _relay((reader, writer), remote)

    async def _connect(self, host: str, port: int) -> Streams | None:
        """Connect to the first allowed address of a host; None if none is allowed."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(place[0]) for *_, place in found]
        if self._policy:
            self._policy.learn(host, addresses)
        for address in addresses:
            if self._policy and self._policy.allows(host, port, address):
                with suppress(OSError):
                    async with asyncio.timeout(_CONNECT_TIMEOUT):
                        return await asyncio.open_connection(address, port)
        return None


async def _refuse(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()


async def _connect_to_proxy(proxy: Proxy) -> Streams:
    """Connect to a proxy of the user; it responds to CONNECT itself."""
    async with asyncio.timeout(_CONNECT_TIMEOUT):
        return await asyncio.open_connection(proxy.host, proxy.port, ssl=proxy.tls or None)


def _authorization(proxy: Proxy) -> bytes:
    if proxy.credentials is None:
        return b""
    return b"Proxy-Authorization: Basic " + b64encode(proxy.credentials.encode()) + b"\r\n"


def _headers(head: bytes, *, tunnel: bool = False) -> bytes:
    """Return the headers of a request for the remote side: the connection has one response."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_BY_HOP)]
    return b"\r\n".join([*kept, *([] if tunnel else [b"Connection: close"]), b"", b""])


async def _relay(one: Streams, other: Streams) -> None:
    """Copy bytes both ways until both ends are done."""
    try:
        await asyncio.gather(_copy(one[0], other[1]), _copy(other[0], one[1]))
    finally:
        other[1].close()


async def _copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while piece := await source.read(_PIECE):
        sink.write(piece)
        await sink.drain()
    if sink.can_write_eof():
        sink.write_eof()
