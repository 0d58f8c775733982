"""A service that receives alerts."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SECRET = "T0K3N"
"""The part of its addresses that nothing may show."""


class Receiver:
    """A service for alerts on loopback; requests for ``/broken…`` fail."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.received.append({**json.loads(body), "path": self.path})
                self.send_response(500 if self.path.startswith("/broken") else 200)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def address(self, path: str) -> str:
        return f"json://127.0.0.1:{self._server.server_port}/{path}/{SECRET}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
