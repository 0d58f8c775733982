"""A connection that is open already gives the same rows as a new one, whatever is sent on it."""

import asyncio
import gzip
import json
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import aiohttp

from sitemapaudit import urls
from sitemapaudit.demo.server import LOOPBACK
from sitemapaudit.engine.requests import aiohttp_misfit
from sitemapaudit.fetching.http_session import MAX_HEAD_BYTES
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.manifest import Status
from tests.hostile.attacks import urlset
from tests.support.audits import Audited, crawl
from tests.support.settings import QUICK

PAGE = b"<!doctype html><title>A page</title><p>Some words"
HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
WHOLE = HTML + b"Content-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE)
OTHER = WHOLE.replace(PAGE[:4], b"Junk")
CHUNKED = HTML + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE)
LENGTH = b"Content-Length: %d" % len(PAGE)
GZIP = gzip.compress(PAGE)
SILENCE = b""
"""The server sends nothing, and keeps the connection."""

RESPONSES = {
    "/whole": WHOLE,
    "/asked?": b"HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\ngone",
    "/chunked": CHUNKED,
    "/excess": WHOLE + b"\njunk",
    "/excess-chunked": CHUNKED + b"junk",
    "/excess-empty": b"HTTP/1.1 204 No Content\r\n\r\n" + PAGE,
    "/excess-hints": b"HTTP/1.1 103 Early Hints\r\n\r\n" + WHOLE + b"junk",
    "/twice": WHOLE + OTHER,
    "/twice-chunked": CHUNKED + OTHER,
    "/equal-lengths": HTML + LENGTH + b"\r\n" + LENGTH + b"\r\n\r\n" + PAGE,
    "/list-of-lengths": HTML + LENGTH + b", %d\r\n\r\n" % len(PAGE) + PAGE + b"junk",
    "/other-lengths": HTML + LENGTH + b"\r\nContent-Length: 4\r\n\r\n" + PAGE,
    "/length-of-chunked": HTML
    + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n"
    + CHUNKED.partition(b"\r\n\r\n")[2],
    "/excess-lines": WHOLE.replace(b"\r\n", b"\n") + b"junk",
    "/gzip-transfer": HTML
    + b"Transfer-Encoding: gzip, chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(GZIP), GZIP),
    "/hints": b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" + WHOLE,
    "/empty": b"HTTP/1.1 204 No Content\r\n\r\n",
    "/redirect": b"HTTP/1.1 301 Moved\r\nLocation: /whole\r\nContent-Length: 0\r\n\r\n",
    "/gone": b"HTTP/1.1 410 Gone\r\nContent-Length: 4\r\n\r\ngone",
    "/file": b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 100000\r\n\r\n",
    "/until-eof": HTML + b"Connection: close\r\n\r\n" + PAGE,
    "/short": HTML + b"Content-Length: 1000\r\nConnection: close\r\n\r\n" + PAGE,
    "/lost": b"closed",
    "/no-http": b"SSH-2.0\r\n\r\n",
    "/wrong-chunk": HTML + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n",
    "/large-head": HTML + b"X: 1\r\n" * (MAX_HEAD_BYTES // 6) + b"\r\n",
    "/silent": SILENCE,
}
CLOSING = ("/until-eof", "/short", "/lost")
TIMES = ("elapsed", "fetched_at", "sum")


class Connection(socketserver.StreamRequestHandler):
    """Answers requests with ``RESPONSES``, and notes which of them came on a used connection."""

    on_used: ClassVar[set[str]]
    heads: ClassVar[dict[str, bytes]]

    def handle(self) -> None:
        assert isinstance(self.server, Server)
        served = 0
        while words := self.rfile.readline().split():
            head = b"".join(iter(self.rfile.readline, b"\r\n"))
            path = words[1].decode()
            if served:
                self.on_used.add(path)
            self.heads.setdefault(path, b" ".join(words) + b"\r\n" + head)
            response = self.respond(path)
            if response == SILENCE:
                time.sleep(3)
                return
            if response != RESPONSES["/lost"]:
                self.wfile.write(response)
            if path in CLOSING or (self.server.closes and path in RESPONSES):
                return
            served += 1

    def respond(self, path: str) -> bytes:
        assert isinstance(self.server, Server)
        if path in RESPONSES:
            return RESPONSES[path]
        body = PAGE
        if path == "/robots.txt":
            body = f"Sitemap: {self.server.origin}/sitemap.xml\n".encode()
        elif path == "/sitemap.xml":
            # After each page that may cost its connection, another one opens a connection.
            pages = [path for number, name in enumerate(RESPONSES) for path in (name, f"/{number}")]
            body = urlset(self.server.origin + each for each in ("/first", *pages)).encode()
        closes = b"Connection: close\r\n" if self.server.closes else b""
        return HTML + closes + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    closes = False
    """Whether each connection is closed after its first response."""

    @property
    def origin(self) -> str:
        return f"http://{LOOPBACK}:{self.socket.getsockname()[1]}"


@contextmanager
def serve(port: int, *, closes: bool) -> Iterator[Server]:
    Connection.on_used, Connection.heads = set(), {}
    with Server((LOOPBACK, port), Connection) as server:
        server.closes = closes
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def audit(audits: Path, port: int, *, closes: bool) -> tuple[int, list[dict[str, Any]]]:
    """Return the port of the server, and the rows of its pages."""
    settings = {"RETRY_TIMES": "0", "CONCURRENT_REQUESTS_PER_DOMAIN": "1", "DOWNLOAD_TIMEOUT": "1"}
    # Each request has a header of its own.
    settings |= {"HTTPAUTH_USER": "user", "HTTPAUTH_PASS": "password"}
    with serve(port, closes=closes) as server:
        audited = crawl(audits, {"site": server.origin}, QUICK | settings)
        port = server.socket.getsockname()[1]
    lines = ledger_file(audited.run.path, "pages").read_text(encoding="utf-8").splitlines()
    rows = {urls.request_target(row["url"]): row for row in map(json.loads, lines)}
    return port, [drop_times(rows[path]) for path in RESPONSES]


def keeps() -> bool:
    """Return whether connections can be kept with this version of aiohttp."""

    async def look() -> bool:
        async with aiohttp.ClientSession() as session:
            return aiohttp_misfit(session) is None

    return asyncio.run(look())


def drop_times(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in TIMES}


def test_an_open_connection_gives_the_same_rows_as_a_new_one(tmp_path: Path) -> None:
    port, on_used = audit(tmp_path / "kept", 0, closes=False)
    # With other private parts of aiohttp, each request has a new connection.
    assert Connection.on_used.intersection(RESPONSES) == (set(RESPONSES) if keeps() else set())
    heads = Connection.heads
    _, on_new = audit(tmp_path / "new", port, closes=True)
    assert not Connection.on_used
    for used, new in zip(on_used, on_new, strict=True):
        assert used == new
    assert all(b"Authorization: Basic" in head for head in heads.values())
    errors = {row["url"].rpartition("/")[2]: row["error"] for row in on_used if "error" in row}
    if not keeps():  # aiohttp itself also refuses responses with bytes behind them.
        assert set(errors.values()) == {"truncated", "reset", "invalid-http", "timeout"}
        return
    assert errors == {
        "short": "truncated",
        "lost": "reset",
        "no-http": "invalid-http",
        "wrong-chunk": "invalid-http",
        "other-lengths": "invalid-http",
        "large-head": "invalid-http",
        "silent": "timeout",
    }
    titles = {row["url"].rpartition("/")[2]: row["title"] for row in on_used if row.get("title")}
    whole = {path[1:] for path, response in RESPONSES.items() if PAGE in response}
    whole = whole - errors.keys() - {"excess-empty"} | {"gzip-transfer"}
    assert titles == dict.fromkeys(whole, "A page")
    assert {path: heads[path] for path in RESPONSES} == {
        path: Connection.heads[path] for path in RESPONSES
    }, "the heads of the requests are equal too"


PAGES = [f"/page/{number}" for number in range(12)]
IMAGES = {f"/image/{number}": 404 if number % 2 else 200 for number in range(6)}
BEFORE, BEHIND = (PAGES[4], "/image/2"), PAGES[7]
"""The URLs that get another response before theirs, once, and behind it, always."""

DISCOVERED = ("/robots.txt", "/sitemap.xml")


class Shifting(Connection):
    """Sends another response when the request for a page arrives, and its own one later."""

    sent: ClassVar[set[str]]
    disable_nagle_algorithm = True  # Otherwise, what follows waits until the client acknowledges.

    def respond(self, path: str) -> bytes:
        assert isinstance(self.server, Server)
        time.sleep(0.01)  # As long, the client waits twice for what follows the last response.
        if path in IMAGES:
            if path in BEFORE and path not in self.sent:
                self.sent.add(path)
                self.wfile.write(image(404))
                time.sleep(0.02)
            return image(IMAGES[path])
        if path in BEFORE and path not in self.sent:
            self.sent.add(path)
            self.wfile.write(OTHER)
            time.sleep(0.02)  # Meanwhile the client takes it for the page, and goes on.
        if path == "/robots.txt":
            body = f"Sitemap: {self.server.origin}/sitemap.xml\n".encode()
        elif path == "/sitemap.xml":
            body = urlset(self.server.origin + each for each in PAGES).encode()
            locs = "".join(
                f"<image:image><image:loc>{self.server.origin}{each}</image:loc></image:image>"
                for each in IMAGES
            )
            body = body.replace(b"</url>", locs.encode() + b"</url>", 1)
            body = body.replace(b" xmlns=", b" " + IMAGE_NAMESPACE + b" xmlns=", 1)
        else:
            body = f"<!doctype html><title>{path}</title><p>Some words".encode()
        response = HTML + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        return response + OTHER if path == BEHIND else response


def image(status: int) -> bytes:
    return b"HTTP/1.1 %d A\r\nContent-Type: image/png\r\nContent-Length: 0\r\n\r\n" % status


IMAGE_NAMESPACE = b'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'


SHIFTING = QUICK | {"CONCURRENT_REQUESTS_PER_DOMAIN": "1", "RETRY_TIMES": "0"}


@contextmanager
def shifting() -> Iterator[Server]:
    Connection.on_used, Connection.heads, Shifting.sent = set(), {}, set()
    with Server((LOOPBACK, 0), Shifting) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def test_what_a_shifted_connection_of_staging_sent_is_fetched_again(tmp_path: Path) -> None:
    """These requests have values of their own, and pass through aiohttp."""
    with shifting() as server:
        staged = {"staging": server.origin, "staging_names_itself": "true"}
        site = {"site": "https://www.example.com", "media": "check"}
        assert_all_are_right(crawl(tmp_path, site | staged, SHIFTING))


def test_what_a_shifted_connection_sent_is_fetched_again(tmp_path: Path) -> None:
    with shifting() as server:
        audited = crawl(tmp_path, {"site": server.origin, "media": "check"}, SHIFTING)
        assert_all_are_right(audited)
        assert not Connection.on_used.intersection(DISCOVERED)
        # The run is killed before it fetches them again.
        run = audited.run
        ledger_file(run.path, "rechecks").write_bytes(b"")
        media = ledger_file(run.path, "media")
        media.write_bytes(b"".join(media.read_bytes().splitlines(keepends=True)[: len(IMAGES)]))
        manifest = run.manifest
        manifest.status, manifest.complete = Status.RUNNING, False
        manifest.write(run.path)
        assert_all_are_right(crawl(tmp_path, {"resume": str(run.path)}))


def assert_all_are_right(audited: Audited) -> None:
    assert audited.status == 0, audited.log
    rows = {urls.path(row["url"]): row for row in audited.run.pages.to_dict("records")}
    assert {path: rows[path]["title"] for path in PAGES} == {path: path for path in PAGES}
    assert rows[BEFORE[0]]["recheck"] == "refetched"
    media = audited.run.sql("select url, status from media").to_dict("records")
    assert {urls.path(row["url"]): row["status"] for row in media} == IMAGES
