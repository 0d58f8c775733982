"""A small web server on loopback that can break the rules of HTTP on purpose."""

import ssl
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SO_LINGER, SOL_SOCKET
from typing import Any, Final, Self

from msgspec import Struct, field

LOOPBACK: Final = "127.0.0.1"


class Reply(Struct):
    """A response of the server.

    ``delay`` is in seconds, before the first byte. ``announced`` replaces the correct
    Content-Length. ``raw`` replaces the entire response. ``reset`` resets the connection without
    a response.
    """

    body: bytes | str = b""
    status: int = 200
    headers: Sequence[tuple[str, str]] = field(default_factory=list)
    delay: float = 0.0
    announced: int | None = None
    raw: bytes | None = None
    reset: bool = False

    @property
    def payload(self) -> bytes:
        """The body as bytes."""
        return self.body.encode() if isinstance(self.body, str) else self.body


class ServerRequest(Struct, frozen=True):
    """A request: the ``Host`` header, the path with its query, and all headers in lower case."""

    host: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)


Responder = Callable[[ServerRequest], Reply]


class Server:
    """Serves the replies of a function on a loopback port; a context manager.

    ``requests`` counts the requests by address (``host/path``). If ``port`` is taken, the server
    uses any free port.
    """

    def __init__(
        self, respond: Responder, port: int = 0, tls: ssl.SSLContext | None = None
    ) -> None:
        self.requests: Counter[str] = Counter()
        self._respond = respond
        self._scheme = "https" if tls else "http"
        self._server = _bind(port, self._handler())
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )

    @property
    def port(self) -> int:
        """The port that the server listens on."""
        return int(self._server.server_address[1])

    @property
    def origin(self) -> str:
        """The origin of the server, with its IP address as the host."""
        return f"{self._scheme}://{LOOPBACK}:{self.port}"

    def start(self) -> Self:
        """Start serving, in a separate thread."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Close the port, without waiting for replies that are still being sent."""
        if self._thread.is_alive():
            self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = ServerRequest(headers.get("host", ""), self.path, headers)
                server.requests[request.host + request.path] += 1
                _send(self, server._respond(request))

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        return Handler


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Ignore clients that disconnect."""


def _bind(port: int, handler: type[BaseHTTPRequestHandler]) -> _QuietServer:
    try:
        return _QuietServer((LOOPBACK, port), handler)
    except OSError:
        if not port:
            raise
        return _QuietServer((LOOPBACK, 0), handler)


def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    time.sleep(reply.delay)
    if reply.reset:
        linger = struct.pack("ii", 1, 0)
        handler.connection.setsockopt(SOL_SOCKET, SO_LINGER, linger)
        handler.close_connection = True
        handler.connection.close()
        return
    if reply.raw is not None:
        handler.wfile.write(reply.raw)
        handler.close_connection = True
        return
    _send_message(handler, reply)


def _send_message(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    payload = reply.payload
    length = len(payload) if reply.announced is None else reply.announced
    handler.send_response(reply.status)
    for name, value in reply.headers:
        handler.send_header(name, value)
    if reply.status not in (204, 304):
        handler.send_header("Content-Length", str(length))
    handler.end_headers()
    handler.wfile.write(payload)
    handler.close_connection = handler.close_connection or length != len(payload)
