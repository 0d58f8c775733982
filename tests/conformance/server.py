"""A Web server on loopback with the files of one case."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Final

from tests.conformance.cases import HOME, MISSING, Case, Reply

HOST: Final = "127.0.0.1"


class _Handler(BaseHTTPRequestHandler):
    server: "_Server"

    def do_GET(self) -> None:
        default = HOME if self.path == "/" else MISSING
        reply = self.server.replies.get(self.path, default)
        self.send_response_only(reply.status)
        for name, lines in reply.headers.items():
            for line in lines:
                self.send_header(name, line)
        if reply.status not in (204, 304):
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command != "HEAD" and reply.status not in (204, 304):
            self.wfile.write(reply.body)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Handler)
        self.replies: dict[str, Reply] = {}

    def handle_error(self, *_: object) -> None:
        """Clients may close their connections at any time."""


@contextmanager
def serve(case: Case, host: str = HOST) -> Iterator[str]:
    """Serve the files of a case; yield the origin, with the name that the client resolves."""
    with _Server() as server:
        site = f"http://{host}:{server.server_port}"
        server.replies = case.replies(site)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        try:
            yield site
        finally:
            server.shutdown()
