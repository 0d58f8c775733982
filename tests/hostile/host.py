"""A host that sends whatever an attack says, piece by piece, for as long as somebody takes it."""

import contextlib
import itertools
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Self

from sitemapaudit.demo.server import LOOPBACK

Wire = Iterable[bytes | float]
"""What goes over the wire, status line and all; a number is a pause in seconds."""

Sent = Callable[[], Wire]

RESET: Final = b""
"""Instead of a piece: the connection is reset."""

HTML: Final = "Content-Type: text/html"
XML: Final = "Content-Type: application/xml"
TEXT: Final = "Content-Type: text/plain"
FOREVER: Final = 600.0


def http(body: Wire, *headers: str, status: str = "200 OK") -> Iterator[bytes | float]:
    """Return an answer whose end is the end of the connection."""
    yield "\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *headers, "", ""]).encode()
    yield from body


def text(body: str | bytes, *headers: str, status: str = "200 OK") -> Sent:
    """Return a whole answer."""
    data = body.encode() if isinstance(body, str) else body
    return lambda: http([data], f"Content-Length: {len(data)}", *headers, status=status)


def endless(piece: bytes) -> Iterator[bytes]:
    """Repeat a piece, some hundred kilobytes at once."""
    return itertools.repeat(piece * max(1, 200_000 // len(piece)))


class Host:
    """Answers paths on a port of loopback; a context manager.

    ``asked`` are the paths in the order in which they were asked for, with the time of each;
    ``others`` answers those that have no answer of their own.
    """

    def __init__(self, others: Callable[[str], Sent] | None = None) -> None:
        self.answers: dict[str, Sent] = {}
        self.asked: list[tuple[str, float]] = []
        self._others = others or (lambda _: text("not here", HTML, status="404 Not Found"))
        self._socket = socket.create_server((LOOPBACK, 0), backlog=200)
        self._open = True

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def times(self, path: str) -> int:
        """Return how often a path was asked for."""
        return sum(asked == path for asked, _ in self.asked)

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._open = False
        # A thread that waits for a connection does not see that its socket is closed.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _accept(self) -> None:
        while self._open:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head:
                if not (piece := connection.recv(65_536)):
                    return
                head += piece
            path = head.split(b" ", 2)[1].decode("latin-1")
            self.asked.append((path, time.time()))
            self._send(connection, self.answers.get(path) or self._others(path))

    def _send(self, connection: socket.socket, sent: Sent) -> None:
        for piece in sent():
            if not self._open:
                return
            if isinstance(piece, float):
                _pause(connection, piece)
            elif piece == RESET:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            else:
                connection.sendall(piece)


def _pause(connection: socket.socket, seconds: float) -> None:
    """Wait, unless the other end goes away."""
    connection.settimeout(seconds)
    with contextlib.suppress(TimeoutError):
        if not connection.recv(1):
            raise OSError
    connection.settimeout(None)
