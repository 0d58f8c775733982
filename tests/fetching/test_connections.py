"""A request that is lost with its connection is sent again by Scrapy alone, which counts it."""

import socketserver
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from sitemapaudit.demo.server import LOOPBACK
from tests.hostile.attacks import urlset
from tests.support.audits import crawl
from tests.support.settings import QUICK

LOST = [f"/lost/{number}" for number in range(4)]
TRIES = 3


class ReusedConnection(socketserver.StreamRequestHandler):
    """Keeps connections open, and closes them after each request for one of ``LOST``."""

    requests: ClassVar[Counter[str]]
    reused: ClassVar[Counter[str]]

    def handle(self) -> None:
        served = 0
        while words := self.rfile.readline().split():
            while self.rfile.readline().strip():
                pass
            path = words[1].decode()
            self.requests[path] += 1
            self.reused[path] += served > 0
            if path in LOST:
                return
            body = self.respond(path).encode()
            head = (
                f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            self.wfile.write(head.encode() + body)
            served += 1

    def respond(self, path: str) -> str:
        assert isinstance(self.server, Server)
        origin = self.server.origin
        if path == "/robots.txt":
            return f"Sitemap: {origin}/sitemap.xml\n"
        if path == "/sitemap.xml":
            pages = [path for number, lost in enumerate(LOST) for path in (f"/{number}", lost)]
            return urlset(origin + each for each in pages)
        return f"<!doctype html><title>{path}</title>"


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.socket.getsockname()[1]}"


@contextmanager
def serve() -> Iterator[str]:
    ReusedConnection.requests, ReusedConnection.reused = Counter(), Counter()
    with Server((LOOPBACK, 0), ReusedConnection) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.origin
        server.shutdown()


def test_a_lost_request_is_sent_as_often_as_it_is_counted(tmp_path: Path) -> None:
    settings = {"RETRY_TIMES": str(TRIES - 1), "CONCURRENT_REQUESTS_PER_DOMAIN": "1"}
    settings["DOWNLOAD_DELAY"] = "0.02"  # A connection is free again before the next request.
    with serve() as site:
        audited = crawl(tmp_path, {"site": site}, QUICK | settings)
    assert any(ReusedConnection.reused[path] for path in LOST), "a connection was used before"
    assert {path: ReusedConnection.requests[path] for path in LOST} == dict.fromkeys(LOST, TRIES)
    pages = audited.run.pages.set_index("url").loc[[site + path for path in LOST]]
    assert set(pages["retries"]) == {TRIES - 1}
    assert set(pages["error"]) == {"reset"}
