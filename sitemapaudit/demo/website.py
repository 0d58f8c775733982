"""The demo servers, and the findings that an audit of them must report.

shop    http://127.0.0.1:PORT    a sitemap index, many clean pages, and all planted faults
alias   http://localhost:PORT    another host; target of redirects and canonicals of the shop
blog    robots.txt is too large and has no Sitemap line; the sitemap is at a well-known path
bare    neither robots.txt nor sitemap
maze    robots.txt redirects endlessly; the sitemap is at a well-known path
down    robots.txt returns 503
dead    refuses connections
tls     has an untrusted certificate

The shop changes a week later, for comparisons: see ``week_later.py``.
"""

import socket
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import Final, Self

from sitemapaudit.demo.certificate import untrusted_context
from sitemapaudit.demo.documents import HTML, entry, index, page, urlset, xml
from sitemapaudit.demo.planted_pages import Origins, planted_pages
from sitemapaudit.demo.scripted_pages import scripted_pages
from sitemapaudit.demo.server import LOOPBACK, Reply, Server, ServerRequest
from sitemapaudit.demo.shop_files import ARCHIVE, robots_txt, shop_files
from sitemapaudit.demo.week_later import EXPECTED, pages

SETTINGS: Final = {
    "AUDIT_SPEED": "full",
    # Long enough for the large files, short enough to show a timeout quickly.
    "DOWNLOAD_TIMEOUT": 2,
    "RETRY_TIMES": 1,
}
"""Scrapy settings for an audit of the demo."""

EXCLUDE: Final = ARCHIVE
"""The default of ``exclude`` in an audit of the demo."""

_PORTS: Final = (8951, 8952, 8953, 8954, 8955, 8956, 8957)
"""Preferred ports, so that addresses stay the same between runs."""

_MAIN_PAGES: Final = ("/", "/about", "/contact", "/imprint", "/terms")

_BLOG: Final = ("/posts/first", "/posts/second", "/about-us")
"""The pages of the blog; the last is outside the directory of its sitemap."""

_COPY: Final = "/posts/copy"
_ORIGINAL: Final = "/posts/original"
"""A listed page of the blog, and its canonical, which is not listed."""


class Demo:
    """Runs the demo servers; a context manager."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def start(self) -> Self:
        """Start all servers."""
        serve = self._stack.enter_context
        shop_port, blog_port, bare_port, down_port, tls_port, maze_port, dead_port = _PORTS
        shop = serve(Server(self._shop, shop_port))
        blog = serve(Server(self._blog, blog_port))
        bare = serve(Server(_bare, bare_port))
        down = serve(Server(lambda _: Reply("Down", 503, [HTML]), down_port))
        tls = serve(Server(lambda _: page("Secret"), tls_port, untrusted_context()))
        maze = serve(Server(self._maze, maze_port))
        dead = serve(_refusing_socket(dead_port))
        self.origins = Origins(
            shop=shop.origin,
            alias=f"http://localhost:{shop.port}",
            blog=blog.origin,
            bare=bare.origin,
            down=down.origin,
            dead=f"http://{LOOPBACK}:{dead.getsockname()[1]}",
            tls=tls.origin,
            maze=maze.origin,
        )
        self._planted_pages = [*planted_pages(self.origins), *scripted_pages(self.origins)]
        self._replies = {page.path: page.reply for page in self._planted_pages if page.reply}
        self.serve_week(later=False)
        return self

    def serve_week(self, *, later: bool) -> None:
        """From now on, serve the shop as it is in the first week, or a week later."""
        self._sitemaps = list(shop_files(self.origins, self._planted_pages, later=later))
        self._files = {file.path: file.reply for file in self._sitemaps}
        self._clean_pages = dict(pages(self.origins.shop, later=later))

    def stop(self) -> None:
        """Stop all servers."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def serve(self, files: Mapping[str, Reply]) -> None:
        """Replace the sitemaps of the shop with these files."""
        self._files = {path: partial(_return_reply, reply) for path, reply in files.items()}

    @property
    def sites(self) -> tuple[str, ...]:
        """The origins to audit."""
        return self.origins.shop, self.origins.blog, self.origins.bare, self.origins.maze

    @property
    def private_hosts(self) -> list[str]:
        """All demo servers as ``host:port``."""
        origins = (getattr(self.origins, name) for name in Origins.__struct_fields__)
        return [origin.partition("://")[2] for origin in origins]

    def expected(self, *, rendered: bool = False) -> list[tuple[str, str]]:
        """Return the findings that an audit must report: rule, and URL or sitemap.

        ``rendered`` adds those that only a browser shows.
        """
        findings = [*self._sitemap_findings(), *self._page_findings(), *self._host_findings()]
        findings.append(("audit-incomplete", ""))  # Some sitemaps cannot be read.
        return sorted([*findings, *self._browser_findings()] if rendered else findings)

    def expected_from_comparison(self) -> list[tuple[str, str]]:
        """Return the findings that comparing both weeks must report: rule and sitemap."""
        return sorted((rule, self.origins.shop + path) for rule, path in EXPECTED)

    def _sitemap_findings(self) -> list[tuple[str, str]]:
        shop = self.origins.shop
        findings = [(rule, shop + file.path) for file in self._sitemaps for rule in file.rules]
        for file in self._sitemaps:
            findings += [
                (rule, self._absolute(path or file.path)) for rule, path in file.entry_findings
            ]
        return [*findings, ("sitemap-unreachable", f"{self.origins.dead}/sitemap.xml")]

    def _page_findings(self) -> list[tuple[str, str]]:
        return [
            (rule, self._absolute(page.path)) for page in self._planted_pages for rule in page.rules
        ]

    def _browser_findings(self) -> list[tuple[str, str]]:
        return [
            (rule, self._absolute(page.path))
            for page in self._planted_pages
            for rule in page.browser_rules
        ]

    def _host_findings(self) -> list[tuple[str, str]]:
        shop, blog = self.origins.shop, self.origins.blog
        return [
            ("robots-sitemap-invalid", f"{shop}/robots.txt"),
            ("robots-sitemap-duplicate", f"{shop}/robots.txt"),
            ("robots-blocks-sitemap", f"{shop}/robots.txt"),
            ("sitemap-dirt-rate", shop),
            ("priority-identical", shop),
            ("robots-no-sitemap-line", f"{blog}/robots.txt"),
            ("robots-too-large", f"{blog}/robots.txt"),
            ("robots-not-text", f"{blog}/robots.txt"),
            ("loc-above-directory", f"{blog}{_BLOG[-1]}"),
            ("canonical-elsewhere", blog + _COPY),
            ("canonical-target-missing-from-sitemap", blog + _COPY),
            ("robots-missing", f"{self.origins.bare}/robots.txt"),
            ("sitemap-not-found", self.origins.bare),
            ("robots-redirect-chain", f"{self.origins.maze}/robots.txt"),
            ("robots-unreachable", f"{self.origins.down}/robots.txt"),
        ]

    def _absolute(self, path: str) -> str:
        return self.origins.shop + path if path.startswith("/") else path

    def _shop(self, request: ServerRequest) -> Reply:
        if request.host.startswith("localhost"):
            return self._alias(request)
        if request.path == "/robots.txt":
            return robots_txt(self.origins)
        if request.path in self._files:
            return self._files[request.path]()
        return self._replies.get(request.path) or self._clean_page(request.path)

    def _clean_page(self, path: str) -> Reply:
        if path in self._clean_pages:
            return self._clean_pages[path]
        address = self.origins.shop + path
        if path.startswith(("/news/", "/long?")) or path in _MAIN_PAGES:
            title = path.partition("?")[0].strip("/").capitalize() or "Demo shop"
            return page(title, canonical=address)
        return Reply("Not found", 404, [HTML])

    def _maze(self, request: ServerRequest) -> Reply:
        if request.path.startswith("/robots.txt"):
            return Reply(status=302, headers=[("Location", f"{request.path}?again")])
        if request.path == "/sitemap.xml":
            return xml(urlset([entry(f"{self.origins.maze}/")]))
        if request.path == "/":
            return page("Maze", canonical=f"{self.origins.maze}/")
        return Reply("Not found", 404, [HTML])

    def _alias(self, request: ServerRequest) -> Reply:
        if request.path == "/landing":
            return page("Landing", canonical=f"{self.origins.alias}/landing")
        return Reply("Not found", 404, [HTML])

    def _blog(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            too_large = "User-agent: *\nAllow: /\n" + "# padding\n" * 60_000
            return Reply(too_large, headers=[("Content-Type", "application/octet-stream")])
        if request.path == "/sitemap.xml":
            return xml(index([f"{self.origins.blog}/posts/sitemap.xml"]))
        if request.path == "/posts/sitemap.xml":
            return xml(urlset(entry(self.origins.blog + path) for path in (*_BLOG, _COPY)))
        if request.path in (*_BLOG, _COPY, _ORIGINAL):
            title = request.path.strip("/").replace("/", " ").capitalize()
            canonical = _ORIGINAL if request.path == _COPY else request.path
            return page(title, canonical=self.origins.blog + canonical)
        return Reply("Not found", 404, [HTML])


def _refusing_socket(port: int) -> socket.socket:
    """Return a bound socket that does not listen: it refuses every connection."""
    bound = socket.socket()
    try:
        bound.bind((LOOPBACK, port))
    except OSError:
        bound.bind((LOOPBACK, 0))
    return bound


def _return_reply(reply: Reply) -> Reply:
    return reply


def _bare(request: ServerRequest) -> Reply:
    return page("Bare") if request.path == "/" else Reply("Not found", 404, [HTML])
