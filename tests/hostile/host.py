"""A host that sends the response of an attack, in chunks, until the client disconnects."""

import contextlib
import itertools
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Self

from sitemapaudit.demo.server import LOOPBACK

Chunks = Iterable[bytes | float]
"""A complete response, status line included; a number is a pause in seconds."""

Sender = Callable[[], Chunks]

RESET: Final = b""
"""A chunk that resets the connection."""

HTML: Final = "Content-Type: text/html"
XML: Final = "Content-Type: application/xml"
TEXT: Final = "Content-Type: text/plain"
FOREVER: Final = 600.0


def stream(body: Chunks, *headers: str, status: str = "200 OK") -> Iterator[bytes | float]:
    """Yield a response that ends when the connection ends."""
    yield "\r\n".join([f"HTTP/1.1 {status}", "Connection: close", *headers, "", ""]).encode()
    yield from body


def response(body: str | bytes, *headers: str, status: str = "200 OK") -> Sender:
    """Return a sender of a complete response."""
    data = body.encode() if isinstance(body, str) else body
    return lambda: stream([data], f"Content-Length: {len(data)}", *headers, status=status)


def endless(piece: bytes) -> Iterator[bytes]:
    """Repeat a piece without end, in chunks of some hundred kilobytes."""
    return itertools.repeat(piece * max(1, 200_000 // len(piece)))


class Host:
    """Serves paths on a port of an address of loopback; a context manager.

    ``requests`` lists the requested paths in order, with the time of each. ``default`` creates the
    response for paths that ``responses`` does not contain.
    """

    def __init__(
        self, default: Callable[[str], Sender] | None = None, address: str = LOOPBACK
    ) -> None:
        self.responses: dict[str, Sender] = {}
        self.requests: list[tuple[str, float]] = []
        self._default = default or (lambda _: response("not here", HTML, status="404 Not Found"))
        self._socket = socket.create_server((address, 0), backlog=200)
        self.port = int(self._socket.getsockname()[1])
        self.origin = f"http://{address}:{self.port}"
        self._open = True

    def count(self, path: str) -> int:
        """Return the number of requests for a path."""
        return sum(requested == path for requested, _ in self.requests)

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._open = False
        # Closing a socket does not wake the thread that waits in accept().
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
            self.requests.append((path, time.time()))
            self._send(connection, self.responses.get(path) or self._default(path))

    def _send(self, connection: socket.socket, sender: Sender) -> None:
        for chunk in sender():
            if not self._open:
                return
            if isinstance(chunk, float):
                _pause(connection, chunk)
            elif chunk == RESET:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            else:
                connection.sendall(chunk)


def _pause(connection: socket.socket, seconds: float) -> None:
    """Wait, unless the client disconnects."""
    connection.settimeout(seconds)
    with contextlib.suppress(TimeoutError):
        if not connection.recv(1):
            raise OSError
    connection.settimeout(None)
