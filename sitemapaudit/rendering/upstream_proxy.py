"""The proxy of the user, to which the browser's proxy passes requests on."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import dataclass
from typing import Final, Self
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_PORTS: Final = {"http": 80, "https": 443}


@dataclass(slots=True, frozen=True)
class UpstreamProxy:
    """A proxy: its address, and its header for every request, with the password."""

    host: str
    port: int
    tls: bool
    header: bytes

    @classmethod
    def find(cls, scheme: str, host: str, port: int) -> Self | None:
        """Return the proxy of the environment for a host; None if it is reached directly."""
        proxies = getproxies()
        address = proxies.get(scheme) or proxies.get("all")
        if not address or proxy_bypass(f"{host}:{port}"):
            return None
        parts = urlsplit(address if "://" in address else f"http://{address}")
        header = b""
        if parts.username is not None:
            secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            header = b"Proxy-Authorization: Basic " + base64.b64encode(secret) + b"\r\n"
        port = parts.port or _PORTS.get(parts.scheme, 80)
        return cls(parts.hostname or "", port, parts.scheme == "https", header)

    async def open(self) -> Streams:
        """Connect to the proxy. Raises OSError."""
        return await asyncio.open_connection(self.host, self.port, ssl=self.tls or None)

    async def open_tunnel(self, host: str, port: int) -> Streams:
        """Connect to a host through the proxy. Raises OSError."""
        reader, writer = await self.open()
        place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        lines = f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n"
        writer.write(lines.encode("latin-1") + self.header + b"\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        if head.split(b" ", 2)[1:2] != [b"200"]:
            writer.close()
            raise OSError("the proxy refused the tunnel")
        return reader, writer
