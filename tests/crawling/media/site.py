"""A website whose sitemap lists images and videos, on a server that notes every request."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self

from sitemapaudit.demo.documents import prose
from sitemapaudit.demo.server import LOOPBACK
from sitemapaudit.sitemaps.extensions import IMAGE, VIDEO

ENDLESS: Final = 10**12
"""The announced bytes of a body of which ``MOST`` are sent, unless the client stops before."""

MOST: Final = 256 * 2**20

JPEG: Final = {"Content-Type": "image/jpeg"}
_CHUNK: Final = bytes(65_536)


@dataclass(frozen=True)
class Answer:
    """What the server answers; ``reset`` closes the connection instead."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: JPEG)
    body: bytes = b"\xff\xd8\xff"
    endless: bool = False
    reset: bool = False


Answers = Callable[[str, str], Answer | None]


@dataclass(frozen=True)
class Request:
    """A request that the server got."""

    method: str
    path: str
    range: str | None


def url_element(loc: str, images: Sequence[str] = (), **videos: str) -> str:
    """Return an entry with images, and one video with these values if there are any."""
    parts = [f"<image:image><image:loc>{each}</image:loc></image:image>" for each in images]
    values = "".join(f"<video:{name}>{text}</video:{name}>" for name, text in videos.items())
    if values:
        parts.append(f"<video:video>{values}</video:video>")
    return f"<url><loc>{loc}</loc>{''.join(parts)}</url>"


class MediaSite:
    """Serves a sitemap with these entries, HTML pages, and what ``answer`` returns.

    ``entries`` gets the origin. ``answer`` gets the method and the path; if there is none, or it
    returns None, a path that ends with ``.jpg`` is an image, and any other one a page. A context
    manager.
    """

    def __init__(
        self,
        entries: Callable[[str], Sequence[str]],
        answer: Answers | None = None,
        robots: str = "",
    ) -> None:
        self.requests: list[Request] = []
        self.sent: Counter[str] = Counter()
        self._entries = entries
        self._answer = answer
        self._robots = robots
        self._server = ThreadingHTTPServer((LOOPBACK, 0), self._handler())
        self._server.daemon_threads = True

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self._server.server_address[1]}"

    def take_requests(self) -> list[Request]:
        """Return the requests since the last call, without those for robots.txt and sitemaps."""
        requests, self.requests = self.requests, []
        return [each for each in requests if not each.path.endswith((".txt", ".xml"))]

    def methods(self) -> dict[str, list[str]]:
        """Return the methods of the requests for each path since the last call."""
        found: dict[str, list[str]] = {}
        for request in self.take_requests():
            found.setdefault(request.path, []).append(request.method)
        return found

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _find(self, method: str, path: str) -> Answer:
        if path == "/robots.txt":
            text = f"{self._robots}\nSitemap: {self.origin}/sitemap.xml\n"
            return Answer(headers={"Content-Type": "text/plain"}, body=text.encode())
        if path == "/sitemap.xml":
            return Answer(headers={"Content-Type": "application/xml"}, body=self._sitemap())
        answer = self._answer(method, path) if self._answer else None
        if answer is not None:
            return answer
        if path.endswith(".jpg"):
            return Answer()
        html = f"<!doctype html><html lang=en><title>{path}</title><p>{prose(path)}"
        return Answer(headers={"Content-Type": "text/html"}, body=html.encode())

    def _sitemap(self) -> bytes:
        namespaces = f'xmlns:image="{IMAGE}" xmlns:video="{VIDEO}"'
        root = f'urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {namespaces}'
        return f"<{root}>{''.join(self._entries(self.origin))}</urlset>".encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def do_GET(self) -> None:
                site.requests.append(Request(self.command, self.path, self.headers.get("Range")))
                answer = site._find(self.command, self.path)
                if answer.reset:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                length = ENDLESS if answer.endless else len(answer.body)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                if self.command != "HEAD":
                    self._send_body(answer)

            do_HEAD = do_GET  # noqa: N815 - the name is that of the method

            def _send_body(self, answer: Answer) -> None:
                self.wfile.write(answer.body)
                while answer.endless and site.sent[self.path] < MOST:
                    try:
                        self.wfile.write(_CHUNK)
                    except OSError:
                        self.close_connection = True
                        return
                    site.sent[self.path] += len(_CHUNK)
                self.close_connection = self.close_connection or answer.endless

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        return Handler
