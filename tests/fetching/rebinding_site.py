"""A website whose name means an inner server, once its sitemap has been read."""

import socket
import struct
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import Any, Final

from sitemapaudit.demo.documents import prose
from sitemapaudit.demo.server import LOOPBACK
from tests.fetching.isolated_site import isolate, run
from tests.workers.running import wait_for_workers

IN_FLIGHT: Final = 4
"""The most requests of an audit at the same time."""

SITE: Final = "http://www.site.test"
INTRANET: Final = "http://intranet.test"
PAGES: Final = [f"{SITE}/page?{number}" for number in range(16)]
HTTPS_PAGE: Final = "https://www.site.test/page"
INTRANET_PAGE: Final = f"{INTRANET}/page"
PAGE: Final = f"""<!doctype html><title>T</title><h1>H</h1>{prose("page")}
<script>fetch("/secret").then(r => r.text()).then(text => {{ document.title = text }})</script>"""
DOCUMENTS: Final = {
    "/robots.txt": "Sitemap: http://www.site.test/sitemap.txt\n",
    "/sitemap.txt": "\n".join((*PAGES, HTTPS_PAGE, INTRANET_PAGE)),
    "/page": PAGE,
}

_PUBLIC: Final = "93.184.216.34"
_PRIVATE: Final = "10.1.2.3"
_INNER: Final = ("169.254.169.254", LOOPBACK)
_A: Final = 1
_DNS_HEADER: Final = struct.Struct("!6H")


@dataclass(frozen=True)
class RebindingSite:
    """Moves the process of an audit into the network of the website.

    The file ``reached`` in ``folder`` exists as soon as an inner server has a connection. With
    ``workers``, all but the first pages are sent when the workers are ready.
    """

    folder: Path
    workers: bool

    @property
    def audits(self) -> Path:
        """The folder of the runs."""
        return self.folder / "audits"

    @property
    def reached(self) -> Path:
        """The file that proves that an inner server was contacted."""
        return self.folder / "reached"

    def __call__(self) -> None:
        isolate(self.folder)
        for address in (_PUBLIC, _PRIVATE, _INNER[0]):
            run("ip", "address", "add", f"{address}/32", "dev", "lo")
        turned = threading.Event()
        _start(_serve_names, turned)
        for address in (_PUBLIC, _PRIVATE):
            _start(ThreadingHTTPServer((address, 80), self._handler(turned)).serve_forever)
        for address in _INNER:
            for port in (80, 443):
                _start(self._accept, socket.create_server((address, port)))

    def _accept(self, server: socket.socket) -> None:
        while True:
            connection, _ = server.accept()
            with self.reached.open("a") as file:
                print(server.getsockname(), file=file)
            connection.close()

    def _handler(self, turned: threading.Event) -> type[BaseHTTPRequestHandler]:
        site, pages = self, count()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                if path == "/sitemap.txt":
                    turned.set()
                if path == "/page" and site.workers and next(pages) > IN_FLIGHT:
                    wait_for_workers(site.audits)
                body = DOCUMENTS.get(path)
                kind = "text/plain" if path.endswith(".txt") else "text/html"
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.end_headers()
                self.wfile.write((body or "").encode())

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        return Handler


def _start(target: Any, *values: Any) -> None:
    threading.Thread(target=target, args=values, daemon=True).start()


def _serve_names(turned: threading.Event) -> None:
    """Answer DNS queries: the name of the site turns from a public address to inner ones."""
    with socket.socket(type=socket.SOCK_DGRAM) as server:
        server.bind((LOOPBACK, 53))
        while True:
            query, client = server.recvfrom(512)
            found = _INNER if turned.is_set() else (_PUBLIC,)
            server.sendto(answer(query, (_PRIVATE,) if b"intranet" in query else found), client)


def answer(query: bytes, addresses: tuple[str, ...]) -> bytes:
    """Return the answer to a DNS query for addresses of a name (RFC 1035 section 4)."""
    number = _DNS_HEADER.unpack_from(query)[0]
    end = query.index(b"\0", _DNS_HEADER.size) + 5
    question = query[_DNS_HEADER.size : end]
    found = addresses if struct.unpack("!H", question[-4:-2])[0] == _A else ()
    rows = (struct.pack("!HHHIH", 0xC00C, _A, 1, 0, 4) + ip_address(each).packed for each in found)
    return _DNS_HEADER.pack(number, 0x8180, 1, len(found), 0, 0) + question + b"".join(rows)
