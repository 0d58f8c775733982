"""A website with a key file and an IndexNow endpoint, on loopback."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

KEY = "0123456789abcdef"


class Engine:
    """A context manager; the status of the endpoint and the key files can be set."""

    def __init__(self) -> None:
        self.reset()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    def reset(self) -> None:
        """Forget what was received and what was set."""
        self.status = 200
        self.key_files = {f"/{KEY}.txt": f"{KEY}\n"}
        self.received: list[Any] = []
        self.media_types: list[str | None] = []
        self.redirects: dict[str, str] = {}
        """The targets of paths that redirect."""
        self.requested: list[str] = []

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def endpoint(self) -> str:
        return f"{self.origin}/indexnow"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        engine = self

        class Handler(BaseHTTPRequestHandler):
            def _redirect(self) -> bool:
                engine.requested.append(self.path)
                target = engine.redirects.get(self.path)
                if target is not None:
                    self.send_response(302)
                    self.send_header("Location", target)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                return target is not None

            def do_GET(self) -> None:
                if self._redirect():
                    return
                text = engine.key_files.get(self.path)
                self.send_response(404 if text is None else 200)
                self.end_headers()
                self.wfile.write((text or "").encode())

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self._redirect():
                    return
                engine.received.append(json.loads(body))
                engine.media_types.append(self.headers["Content-Type"])
                self.send_response(engine.status)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        return Handler
