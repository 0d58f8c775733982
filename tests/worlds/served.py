"""Drawn websites on loopback, each at an address of its own, with the faults of their network."""

import asyncio
import gzip
import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from http import HTTPStatus
from typing import Any, Self

from tests.worlds.resolver import Resolver
from tests.worlds.world import FORBIDDEN, Fault, Kind, World, WorldFile, WorldPage

_SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_HTML, _XML, _TEXT, _GZIP = "text/html; charset=utf-8", "text/xml", "text/plain", "application/gzip"
_RESET = struct.pack("ii", 1, 0)
_MOMENT = 0.02
"""Seconds that a slow response takes."""

_PIECE = 200
"""The bytes of a piece of a response."""

_EXTRA = "<title>Not requested</title><meta name=robots content=noindex><p>Nobody requested this."


class Served:
    """Serves worlds; a context manager.

    ``origins`` are those of the websites: addresses, or names that ``resolver`` knows. ``on_page``
    is called with the number of each request for a page, ``fetched`` counts these requests by
    website and path, ``files`` those for sitemaps.
    """

    def __init__(
        self, worlds: Sequence[World], *, staging: bool = False, named: bool = False
    ) -> None:
        self.worlds = [*worlds]
        self.on_page: Callable[[int], None] = lambda _: None
        self.fetched = [Counter[str]() for _ in worlds]
        self.files = [Counter[str]() for _ in worlds]
        self._sockets, self.port = _listen(len(worlds))
        self.addresses = [each.getsockname()[0] for each in self._sockets]
        self.served = [f"http://{address}:{self.port}" for address in self.addresses]
        self.resolver = self.addresses[0].rpartition(".")[0] + ".254" if named else None
        if named:
            self.served = [f"http://w{number}.test:{self.port}" for number in range(len(worlds))]
        names = [f"https://www{number}.example" for number in range(len(worlds))]
        self.origins = names if staging else self.served
        self._names: asyncio.DatagramTransport | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        for number, each in enumerate(self._sockets):
            server = self._loop.create_server(partial(_Connection, self, number), sock=each)
            self._loop.run_until_complete(server)
        if self.resolver:
            place = (self.resolver, 53)
            names = self._loop.create_datagram_endpoint(lambda: Resolver(self._find), place)
            self._names, _ = self._loop.run_until_complete(names)
        self._thread.start()
        return self

    def _find(self, number: int) -> str | None:
        """Return the address of a website; None if its name has none."""
        world = self.worlds[number]
        is_lost = world.robots is not None and world.robots.how == "name"
        return None if is_lost else self.addresses[number]

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        for each in self._sockets:
            each.close()
        if self._names:
            self._names.close()
            self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    @property
    def argument(self) -> list[str]:
        """The arguments of an audit of all these websites."""
        site = f"site={','.join(self.origins)}"
        if self.origins is self.served:
            return [site]
        pairs = zip(self.origins, self.served, strict=True)
        return [site, "staging=" + ",".join(f"{name[8:]}={place}" for name, place in pairs)]

    @property
    def requests(self) -> int:
        """The number of requests for pages."""
        return sum(each.total() for each in self.fetched)

    def begin_again(self, worlds: Sequence[World]) -> None:
        """Serve what the websites are later."""
        self.worlds = [*worlds]
        for each in (*self.fetched, *self.files):
            each.clear()

    def respond(self, connection: "_Connection", number: int, path: str, tag: str | None) -> None:
        """Send the response for a path of a website."""
        world = self.worlds[number]
        if path == "/robots.txt":
            self.files[number][path] += 1
            if not connection.fail(world.robots, self.files[number][path], b""):
                connection.send(*self._robots(number, world))
        elif file := world.files.get(path):
            self.files[number][path] += 1
            response = self._file(file, self.origins[number])
            if not connection.fail(file.fault, self.files[number][path], response[2]):
                connection.send(*response, manner=file.manner)
        elif page := world.pages.get(path):
            self.fetched[number][path] += 1
            self.on_page(self.requests)
            response = _page(page, self.origins[number], tag)
            if not connection.fail(page.fault, self.fetched[number][path], response[2]):
                connection.send(*response, manner=page.manner)
        else:
            connection.send(404, [("Content-Type", _HTML)], b"<title>Not found</title>")

    def _robots(self, number: int, world: World) -> tuple[int, list[tuple[str, str]], bytes]:
        if not world.declared:
            return 404, [], b""
        lines = [f"Sitemap: {self.origins[number]}{path}" for path in world.declared]
        text = "\n".join([f"User-agent: *\nDisallow: {FORBIDDEN}\n", *lines])
        return 200, [("Content-Type", _TEXT)], text.encode()

    def _file(self, file: WorldFile, origin: str) -> tuple[int, list[tuple[str, str]], bytes]:
        urls = [escape(origin + path) for path in file.listed]
        if file.format == "text":
            text = "\n".join(origin + path for path in file.listed)
            return 200, [("Content-Type", _TEXT)], text.encode()
        if file.format == "index":
            children = (f"<sitemap><loc>{origin}{each}</loc></sitemap>" for each in file.children)
            body = f"<sitemapindex {_SITEMAP}>{''.join(children)}</sitemapindex>"
        elif file.format == "rss":
            items = "".join(f"<item><link>{url}</link></item>" for url in urls)
            body = f'<rss version="2.0"><channel>{items}</channel></rss>'
        elif file.format == "atom":
            items = "".join(f'<entry><link href="{url}"/></entry>' for url in urls)
            body = f'<feed xmlns="http://www.w3.org/2005/Atom">{items}</feed>'
        else:
            items = "".join(f"<url><loc>{url}</loc></url>" for url in urls[: file.whole])
            end = "<url><loc>" if file.whole else "</urlset>"
            body = f"<urlset {_SITEMAP}>{items}{end}"
        if file.format.endswith(".gz"):
            return 200, [("Content-Type", _GZIP)], gzip.compress(body.encode(), 1)
        return 200, [("Content-Type", _XML)], body.encode()


def _page(
    page: WorldPage, origin: str, tag: str | None
) -> tuple[int, list[tuple[str, str]], bytes]:
    if page.kind is Kind.MOVED:
        return page.status, [("Location", page.target or "")], b""
    if page.kind is Kind.ARCHIVE:
        return 200, [("Content-Type", "application/zip")], b"PK\x03\x04"
    html = ("Content-Type", _HTML)
    if page.status != HTTPStatus.OK:
        return page.status, [html], b"<title>Error</title>"
    if page.kind is Kind.EMPTY:
        return 200, [html], b""
    own = f'"{page.version}"'
    if tag == own:
        return 304, [("ETag", own)], b""
    canonical = origin + (page.target or page.path)
    head = f"<title>{escape(page.path)} {page.version}</title>"
    head += f'<link rel="canonical" href="{escape(canonical)}">'
    if page.kind is Kind.HIDDEN:
        head += '<meta name="robots" content="noindex">'
    links = "".join(f'<a href="{escape(origin + each)}">x</a>' for each in page.links)
    text = f"<p>The text of {escape(page.path)} in version {page.version}, unlike all others.</p>"
    body = f"<html><head>{head}</head><body>{text}{links}</body></html>"
    return 200, [html, ("ETag", own)], body.encode()


class _Connection(asyncio.Protocol):
    """A connection of a client: each request gets its response after the one before."""

    def __init__(self, served: Served, number: int) -> None:
        self._served, self._number = served, number
        self._received = b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while b"\r\n\r\n" in self._received:
            head, _, self._received = self._received.partition(b"\r\n\r\n")
            first, *lines = head.decode("latin-1").split("\r\n")
            headers = {name.lower(): value for name, _, value in (x.partition(": ") for x in lines)}
            tag = headers.get("if-none-match")
            self._served.respond(self, self._number, first.split(" ")[1], tag)

    def fail(self, fault: Fault | None, request: int, body: bytes) -> bool:
        """Fail instead of a response, if the request with this number must; return that."""
        if fault is None or (fault.times is not None and request > fault.times):
            return False
        length = f"Content-Length: {len(body) + 10}\r\n\r\n".encode()
        chunk = f"Transfer-Encoding: chunked\r\n\r\n{len(body) + 10:x}\r\n".encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {_HTML}\r\n".encode()
        match fault.how:
            case "reset":
                own = self._transport.get_extra_info("socket")
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                self._transport.abort()
            case "close":
                self._transport.close()
            case "garbage":
                self._transport.write(b"\x16\x03\x01 no HTTP\r\n\r\n")
                self._transport.close()
            case "cut" | "cut-chunk":
                announced = length if fault.how == "cut" else chunk
                self._transport.write(head + announced + body)
                self._transport.close()
        return True

    def send(
        self, status: int, headers: list[tuple[str, str]], body: bytes, *, manner: str = ""
    ) -> None:
        """Send a response in a manner."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
        head = f"HTTP/1.1 {status} X\r\n{lines}"
        if status == HTTPStatus.NOT_MODIFIED:
            self._write(f"{head}\r\n".encode())
        elif manner == "chunked":
            chunks = f"Transfer-Encoding: chunked\r\n\r\n{len(body):x}\r\n"
            self._write(f"{head}{chunks}".encode() + body + b"\r\n0\r\n\r\n")
        else:
            whole = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
            extra = f"HTTP/1.1 200 OK\r\nContent-Type: {_HTML}\r\nContent-Length: {len(_EXTRA)}"
            other = f"{extra}\r\n\r\n{_EXTRA}".encode()
            match manner:
                case "slow":
                    self._write(whole, _MOMENT)
                case "pieces":
                    for at in range(0, len(whole), _PIECE):
                        self._write(whole[at : at + _PIECE], at / _PIECE * _MOMENT / 10)
                case "extra":
                    self._write(whole + other)
                case "late-extra":
                    self._write(whole)
                    self._write(other, _MOMENT / 4)
                case _:
                    self._write(whole)

    def _write(self, data: bytes, later: float = 0) -> None:
        if later:
            asyncio.get_running_loop().call_later(later, self._transport.write, data)
        else:
            self._transport.write(data)


def _listen(number: int) -> tuple[list[socket.socket], int]:
    """Return sockets that listen on loopback addresses, all on one free port."""
    network = f"127.{random.randint(1, 250)}.{random.randint(1, 250)}"
    sockets = [socket.create_server((f"{network}.1", 0), backlog=128)]
    port = sockets[0].getsockname()[1]
    places = [(f"{network}.{host}", port) for host in range(2, number + 1)]
    return sockets + [socket.create_server(place, backlog=128) for place in places], port
