"""A drawn website on loopback, which counts requests and can act when one arrives."""

import gzip
from collections import Counter
from collections.abc import Callable
from html import escape

from sitemapaudit.demo.documents import GZIP, HTML, TEXT, XML, prose
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.worlds.world import FORBIDDEN, Kind, World, WorldFile, WorldPage

_SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


class Served(Server):
    """Serves a world. ``on_page`` is called with the number of each request for a page."""

    def __init__(self, world: World) -> None:
        super().__init__(self._reply)
        self.world = world
        self.on_page: Callable[[int], None] = lambda _: None
        self.fetched = Counter[str]()
        self._failed = set[str]()

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            lines = [f"Sitemap: {self.origin}{path}" for path in self.world.declared]
            rules = f"User-agent: *\nDisallow: {FORBIDDEN}\n"
            return Reply("\n".join([rules, *lines]), headers=[TEXT])
        if file := self.world.files.get(request.path):
            return self._file(file)
        page = self.world.pages.get(request.path)
        if page is None:
            return Reply("<title>Not found</title>", 404, [HTML])
        self.fetched[page.path] += 1
        self.on_page(self.fetched.total())
        if page.is_flaky and page.path not in self._failed:
            self._failed.add(page.path)
            return Reply(reset=True)
        return self._page(page, request.headers.get("if-none-match"))

    def _file(self, file: WorldFile) -> Reply:
        urls = [escape(self.origin + path) for path in file.listed]
        if file.format == "text":
            return Reply("\n".join(self.origin + path for path in file.listed), headers=[TEXT])
        if file.format == "index":
            children = (
                f"<sitemap><loc>{self.origin}{each}</loc></sitemap>" for each in file.children
            )
            body = f"<sitemapindex {_SITEMAP}>{''.join(children)}</sitemapindex>"
        elif file.format == "rss":
            items = "".join(f"<item><link>{url}</link></item>" for url in urls)
            body = f'<rss version="2.0"><channel>{items}</channel></rss>'
        elif file.format == "atom":
            items = "".join(f'<entry><link href="{url}"/></entry>' for url in urls)
            body = f'<feed xmlns="http://www.w3.org/2005/Atom">{items}</feed>'
        else:
            items = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
            body = f"<urlset {_SITEMAP}>{items}</urlset>"
        if file.format.endswith(".gz"):
            return Reply(gzip.compress(body.encode()), headers=[GZIP])
        return Reply(body, headers=[XML])

    def _page(self, page: WorldPage, known: str | None) -> Reply:
        if page.kind is Kind.MOVED:
            return Reply(status=page.status, headers=[("Location", page.target or "")])
        if page.kind is Kind.ARCHIVE:
            return Reply(b"PK\x03\x04", headers=[("Content-Type", "application/zip")])
        if page.status != 200:
            return Reply("<title>Error</title>", page.status, [HTML])
        tag = f'"{page.version}"'
        if known == tag:
            return Reply(status=304, headers=[("ETag", tag)])
        canonical = self.origin + (page.target or page.path)
        head = f"<title>{escape(page.path)} {page.version}</title>"
        head += f'<link rel="canonical" href="{escape(canonical)}">'
        if page.kind is Kind.HIDDEN:
            head += '<meta name="robots" content="noindex">'
        links = "".join(f'<a href="{escape(self.origin + each)}">x</a>' for each in page.links)
        text = prose(f"{page.path} {page.version}")
        return Reply(
            f"<html><head>{head}</head><body>{text}{links}</body></html>",
            headers=[HTML, ("ETag", tag)],
        )
