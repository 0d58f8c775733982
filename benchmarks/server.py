"""A loopback server for the benchmarks: many URLs that return a few real HTML pages.

``python server.py --pages 10000 --html DIR`` prints its origin and serves:

    /robots.txt       declares /sitemap.xml
    /sitemap.xml      an index of sitemaps of at most 50,000 URLs each
    /sitemap-N.xml    generated on request; every 32nd lastmod is in the future
    /page/N           the files in DIR, in turn; ``--links`` adds links to other pages at the end,
                      ``--own-texts`` the number of the page
                      (with no file of a suitable size, pages of words)
                      ``--seconds`` is the time until a page is sent
    /requests         the number of page requests so far
    /bytes            the bytes of their responses, headers included

Each page has an ETag, and a request with it is answered with 304.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path

PER_SITEMAP = 50_000
HTML = "text/html; charset=utf-8"
ETAG = '"5f2a-18c9"'
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


class Website:
    """The responses of the server; those of pages are kept in memory as bytes."""

    def __init__(
        self, urls: int, bodies: list[bytes], links: int = 0, *, own_texts: bool = False
    ) -> None:
        self.origin = ""
        self.requests = 0
        self.sent = 0
        self._urls = urls
        self._links = links
        self._own_texts = own_texts
        self._bodies = bodies
        self._pages = [_response(body, HTML, etag=True) for body in bodies]
        self._unchanged = _response(b"", HTML, "304 Not Modified", etag=True)

    def respond(self, path: str, head: bytes = b"") -> bytes:
        """Return a complete HTTP response to a request with these headers."""
        if path.startswith("/page/"):
            self.requests += 1
            known = b"if-none-match: " + ETAG.encode() in head.lower()
            response = self._unchanged if known else self._page(int(path[6:]))
            self.sent += len(response)
            return response
        if path == "/robots.txt":
            return _response(f"Sitemap: {self.origin}/sitemap.xml\n".encode(), "text/plain")
        if path == "/sitemap.xml":
            return _response(self._index(), "application/xml")
        if path.startswith("/sitemap-"):
            return _response(self._sitemap(int(path[9:-4])), "application/xml")
        if path == "/requests":
            return _response(str(self.requests).encode(), "text/plain")
        if path == "/bytes":
            return _response(str(self.sent).encode(), "text/plain")
        return _response(b"not found", "text/plain", "404 Not Found")

    def _page(self, number: int) -> bytes:
        if not self._links and not self._own_texts:
            return self._pages[number % len(self._pages)]
        # A menu that all pages have, and links that only this one has.
        menu = self._links // 2
        targets = [*range(menu), *((number * 31 + step * 7919) for step in range(menu))]
        links = "".join(f"<a href='/page/{each % self._urls}'>a page</a>\n" for each in targets)
        body = self._bodies[number % len(self._bodies)]
        links += f"<p>The page {number}</p>" if self._own_texts else ""
        return _response(body + links.encode(), HTML, etag=True)

    def _index(self) -> bytes:
        files = range(-(-self._urls // PER_SITEMAP))
        rows = "".join(
            f"<sitemap><loc>{self.origin}/sitemap-{n}.xml</loc></sitemap>" for n in files
        )
        return f'<sitemapindex xmlns="{NAMESPACE}">{rows}</sitemapindex>'.encode()

    def _sitemap(self, number: int) -> bytes:
        first = number * PER_SITEMAP
        rows = "\n".join(
            f"<url><loc>{self.origin}/page/{n}</loc>"
            f"<lastmod>{2025 if n % 32 else 2125}-10-{n % 28 + 1:02}</lastmod></url>"
            for n in range(first, min(first + PER_SITEMAP, self._urls))
        )
        return f'<urlset xmlns="{NAMESPACE}">\n{rows}</urlset>'.encode()


class Connection(asyncio.Protocol):
    """The part of HTTP/1.1 that well-behaved clients need: GET, and persistent connections."""

    def __init__(self, website: Website, seconds: float) -> None:
        self._website = website
        self._seconds = seconds
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode()
            response = self._website.respond(path, head)
            if path.startswith("/page/") and self._seconds:
                loop = asyncio.get_running_loop()
                loop.call_later(self._seconds, self._transport.write, response)  # type: ignore[attr-defined]
            else:
                self._transport.write(response)  # type: ignore[attr-defined]


def _response(
    body: bytes, content_type: str, status: str = "200 OK", *, etag: bool = False
) -> bytes:
    lines = [f"HTTP/1.1 {status}", *([f"ETag: {ETAG}"] if etag else [])]
    if not status.startswith("304"):
        lines += [f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
    return "\r\n".join((*lines, "", "")).encode() + body


async def serve(website: Website, seconds: float) -> None:
    """Serve until the process is killed.

    A server is on another machine, usually: this one does not interrupt what is measured.
    """
    if hasattr(os, "SCHED_BATCH"):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Connection(website, seconds), "127.0.0.1", 0, backlog=512
    )
    website.origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    print(website.origin, flush=True)
    await server.serve_forever()


def plain_page(size: int, number: int) -> bytes:
    """Return a page of about this many bytes, whose title and words depend on the number."""
    words = " ".join(f"word{number * step % 9973}" for step in range(1, size // 9))
    return f"<!doctype html><title>Page {number}</title><h1>Page</h1><p>{words}</p>".encode()


def main() -> None:
    """Serve as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--html", type=Path, required=True)
    parser.add_argument("--smallest", type=int, default=15_000)
    parser.add_argument("--largest", type=int, default=25_000)
    parser.add_argument("--links", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--own-texts", action="store_true")
    options = parser.parse_args()
    bodies = [file.read_bytes() for file in sorted(options.html.rglob("*.html"))]
    suitable = [body for body in bodies if options.smallest <= len(body) <= options.largest]
    bodies = suitable or [plain_page(options.largest, number) for number in range(1, 17)]
    website = Website(options.pages, bodies, options.links, own_texts=options.own_texts)
    asyncio.run(serve(website, options.seconds))


if __name__ == "__main__":
    main()
