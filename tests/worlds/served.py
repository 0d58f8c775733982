"""Drawn websites on loopback, each at an address of its own, with the faults of their network."""

import asyncio
import random
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any, Self

from tests.worlds.documents import (
    MOVED,
    Document,
    file_document,
    page_document,
    robots_document,
)
from tests.worlds.faults import Fault
from tests.worlds.pages import OUTSIDE
from tests.worlds.resolver import Resolver
from tests.worlds.world import World

_RESET = struct.pack("ii", 1, 0)
_MOMENT = 0.02
"""Seconds that a slow response takes."""

_PIECE = 200
"""The bytes of a piece of a response."""

_EXTRA = b"<title>Not requested</title><meta name=robots content=noindex><p>Nobody requested this."
_OTHER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (
    len(_EXTRA),
    _EXTRA,
)
"""A response that nothing requested."""


class Served:
    """Serves worlds; a context manager.

    ``origins`` are those of the websites: addresses, or names that ``resolver`` knows. ``on_page``
    is called with the number of each request for a page, ``fetched`` counts these requests by
    website and path, ``files`` those for sitemaps. ``outside`` is the origin of a server that no
    audit may contact, and ``intrusions`` are the connections to it. ``turned`` are the numbers of
    the websites whose names have had its address.
    """

    def __init__(
        self, worlds: Sequence[World], *, staging: bool = False, named: bool = False
    ) -> None:
        self.worlds = [*worlds]
        self.on_page: Callable[[int], None] = lambda _: None
        self.fetched = [Counter[str]() for _ in worlds]
        self.files = [Counter[str]() for _ in worlds]
        *self._sockets, self._outside = _listen(len(worlds))
        self.addresses = [each.getsockname()[0] for each in self._sockets]
        address, self.port = self._outside.getsockname()
        self.outside = f"http://{address}:{self.port}"
        self.intrusions = 0
        self.turned = set[int]()
        self._lookups = Counter[int]()
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
        outside = self._loop.create_server(partial(_Intrusion, self), sock=self._outside)
        self._loop.run_until_complete(outside)
        if self.resolver:
            place = (self.resolver, 53)
            names = self._loop.create_datagram_endpoint(lambda: Resolver(self._find), place)
            self._names, _ = self._loop.run_until_complete(names)
        self._thread.start()
        return self

    def _find(self, number: int, has_kind: bool) -> tuple[str, ...] | None:
        """Return the addresses of a website, if it can have those of a kind."""
        world = self.worlds[number]
        how = world.robots_fault.how if world.robots_fault else ""
        if how == "mute":
            return None
        if how == "name" or not has_kind:
            return ()
        self._lookups[number] += 1
        if world.turn and world.turn.turns(self._lookups[number]):
            self.turned.add(number)
            return (self._outside.getsockname()[0],)
        return (self.addresses[number],)

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        for each in (*self._sockets, self._outside):
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
    def is_alone(self) -> bool:
        """Whether an audit reads a single website."""
        return len(self.worlds) == 1

    @property
    def requests(self) -> int:
        """The number of requests for pages."""
        return sum(each.total() for each in self.fetched)

    def begin_again(self, worlds: Sequence[World]) -> None:
        """Serve what the websites are later."""
        self.worlds = [*worlds]
        self.turned.clear()
        self._lookups.clear()
        for each in (*self.fetched, *self.files):
            each.clear()

    def address(self, number: int, path: str) -> str:
        """Return the URL of a path of a website; some are at an address that nobody may contact."""
        if path.startswith(OUTSIDE):
            return f"{self.outside}/{number}{path.removeprefix(OUTSIDE)}"
        return self.origins[number] + path

    def respond(self, connection: "_Connection", number: int, path: str, tag: str | None) -> None:
        """Send the response for a path of a website."""
        world, address = self.worlds[number], partial(self.address, number)
        whole = path.removesuffix(MOVED)
        if path == "/robots.txt":
            self.files[number][path] += 1
            document = robots_document(world.robots, address)
            connection.send(document, world.robots_fault, self.files[number][path])
        elif file := world.files.get(whole):
            self.files[number][path] += 1
            document = file_document(file, address)
            if file.flaw == "moved" and path == whole:
                document = Document(301, (("Location", whole + MOVED),))
            connection.send(document, file.fault, self.files[number][path], file.manner)
        elif page := world.pages.get(path):
            self.fetched[number][path] += 1
            self.on_page(self.requests)
            document = page_document(page, address, tag)
            connection.send(document, page.fault, self.fetched[number][path], page.manner)
        else:
            connection.send(Document(404, (), b"<title>Not found</title>"), None, 1)


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

    def send(self, document: Document, fault: Fault | None, request: int, manner: str = "") -> None:
        """Send a response in a manner, or fail if the request with this number must."""
        if fault is not None and (fault.times is None or request <= fault.times):
            self._fail(fault, document.body)
        else:
            self._succeed(document, manner)

    def _fail(self, fault: Fault, body: bytes) -> None:
        length = f"Content-Length: {len(body) + 10}\r\n\r\n".encode()
        chunk = f"Transfer-Encoding: chunked\r\n\r\n{len(body) + 10:x}\r\n".encode()
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
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

    def _succeed(self, document: Document, manner: str) -> None:
        lines = "".join(f"{name}: {value}\r\n" for name, value in document.headers)
        head, body = f"HTTP/1.1 {document.status} X\r\n{lines}", document.body
        if document.status == HTTPStatus.NOT_MODIFIED:
            self._write(f"{head}\r\n".encode())
        elif manner == "chunked":
            chunks = f"Transfer-Encoding: chunked\r\n\r\n{len(body):x}\r\n"
            self._write(f"{head}{chunks}".encode() + body + b"\r\n0\r\n\r\n")
        else:
            whole = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
            match manner:
                case "slow":
                    self._write(whole, _MOMENT)
                case "pieces":
                    for at in range(0, len(whole), _PIECE):
                        self._write(whole[at : at + _PIECE], at / _PIECE * _MOMENT / 10)
                case "extra":
                    self._write(whole + _OTHER)
                case "late-extra":
                    self._write(whole)
                    self._write(_OTHER, _MOMENT / 4)
                case _:
                    self._write(whole)

    def _write(self, data: bytes, later: float = 0) -> None:
        if later:
            asyncio.get_running_loop().call_later(later, self._transport.write, data)
        else:
            self._transport.write(data)


class _Intrusion(asyncio.Protocol):
    """A connection that no audit may open."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def connection_made(self, _: asyncio.BaseTransport) -> None:
        self._served.intrusions += 1


def _listen(number: int) -> list[socket.socket]:
    """Return sockets that listen on loopback addresses, all on one free port.

    The last one is not that of a website.
    """
    network = f"127.{random.randint(1, 250)}.{random.randint(1, 250)}"
    sockets = [socket.create_server((f"{network}.1", 0), backlog=128)]
    port = sockets[0].getsockname()[1]
    hosts = [*range(2, number + 1), 253]
    return sockets + [socket.create_server((f"{network}.{x}", port), backlog=128) for x in hosts]
