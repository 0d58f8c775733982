"""The demo: a shop, its neighbours, and what an audit of them must find.

shop    http://127.0.0.1:PORT    a sitemap index, many clean pages, every fault that is planted
alias   http://localhost:PORT    another host, to which the shop redirects and points
blog    robots.txt is much too long, and has no Sitemap line; an index is where it usually is
bare    neither robots.txt nor sitemap
maze    robots.txt redirects without end; its sitemap is where it usually is
down    robots.txt answers 503
dead    nobody listens
tls     a certificate that nobody trusts

A week later the shop is another, for comparisons: see ``week.py``.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import Final, Self

from sitemapaudit.demo.certificate import untrusted_context
from sitemapaudit.demo.documents import HTML, entry, index, page, urlset, xml
from sitemapaudit.demo.files import ARCHIVE, files, robots_txt
from sitemapaudit.demo.plants import Origins, plants
from sitemapaudit.demo.scripts import scripted_plants
from sitemapaudit.demo.server import LOOPBACK, Asked, Reply, Server
from sitemapaudit.demo.week import EXPECTED, pages

SETTINGS: Final = {
    "AUDIT_SPEED": "full",
    # The slow page is to show a time-out, and not to try anybody's patience.
    "DOWNLOAD_TIMEOUT": 2,
    "RETRY_TIMES": 1,
}
"""Settings of Scrapy for an audit of the demo, which is our own."""

EXCLUDE: Final = ARCHIVE
"""What an audit of the demo leaves out, unless told otherwise."""

_PORTS: Final = (8951, 8952, 8953, 8954, 8955, 8956, 8957)
"""Ports that are taken if they are free: addresses stay the same from run to run."""

_BLOG: Final = ("/posts/first", "/posts/second", "/about-us")
"""The pages of the blog; the last lies outside the directory of the sitemap that lists it."""

_COPY: Final = "/posts/copy"
_ORIGINAL: Final = "/posts/original"
"""A page of the blog that is listed, and the one that it names as its canonical, which is not."""


class Demo:
    """The servers of the demo; a context manager."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def start(self) -> Self:
        """Begin to serve."""
        serve = self._stack.enter_context
        shop_port, blog_port, bare_port, down_port, tls_port, maze_port, dead_port = _PORTS
        shop = serve(Server(self._shop, shop_port))
        blog = serve(Server(self._blog, blog_port))
        bare = serve(Server(_bare, bare_port))
        down = serve(Server(lambda _: Reply("Down", 503, [HTML]), down_port))
        tls = serve(Server(lambda _: page("Secret"), tls_port, untrusted_context()))
        maze = serve(Server(self._maze, maze_port))
        dead = serve(_deaf_socket(dead_port))
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
        self.plants = [*plants(self.origins), *scripted_plants(self.origins)]
        self._planted = {plant.path: plant.reply for plant in self.plants if plant.reply}
        self._furnish(later=False)
        return self

    def let_a_week_pass(self) -> None:
        """Serve what the shop is a week later."""
        self._furnish(later=True)

    def _furnish(self, *, later: bool) -> None:
        self.files = list(files(self.origins, self.plants, later=later))
        self._files = {file.path: file.reply for file in self.files}
        self._clean = dict(pages(self.origins.shop, later=later))

    def stop(self) -> None:
        """Close every port."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def serve(self, files: Mapping[str, Reply]) -> None:
        """Serve other files at the shop in place of its sitemaps."""
        self._files = {path: partial(_given, reply) for path, reply in files.items()}

    @property
    def sites(self) -> tuple[str, ...]:
        """The origins to audit."""
        return self.origins.shop, self.origins.blog, self.origins.bare, self.origins.maze

    @property
    def private_hosts(self) -> list[str]:
        """Every host and port of the demo."""
        origins = (getattr(self.origins, name) for name in Origins.__slots__)
        return [origin.partition("://")[2] for origin in origins]

    def expected(self, *, rendered: bool = False) -> list[tuple[str, str]]:
        """Return the findings that an audit must give: rule, and the URL or sitemap concerned.

        ``rendered`` is whether pages with scripts are opened in a browser.
        """
        found = [*self._expected_of_files(), *self._expected_of_pages(), *self._expected_of_hosts()]
        return sorted([*found, *self._expected_of_scripts()] if rendered else found)

    def expected_of_comparison(self) -> list[tuple[str, str]]:
        """Return what a comparison with the shop a week later must find: rule and sitemap."""
        return sorted((rule, self.origins.shop + path) for rule, path in EXPECTED)

    def _expected_of_files(self) -> list[tuple[str, str]]:
        shop = self.origins.shop
        found = [(rule, shop + file.path) for file in self.files for rule in file.faults]
        for file in self.files:
            found += [(rule, self._place(path or file.path)) for rule, path in file.entries]
        return [*found, ("sitemap-unreachable", f"{self.origins.dead}/sitemap.xml")]

    def _expected_of_pages(self) -> list[tuple[str, str]]:
        return [
            (rule, plant.path if plant.reply is None else self.origins.shop + plant.path)
            for plant in self.plants
            for rule in plant.faults
        ]

    def _expected_of_scripts(self) -> list[tuple[str, str]]:
        return [
            (rule, self.origins.shop + plant.path)
            for plant in self.plants
            for rule in plant.rendered
        ]

    def _expected_of_hosts(self) -> list[tuple[str, str]]:
        shop, blog = self.origins.shop, self.origins.blog
        return [
            ("robots-sitemap-invalid", f"{shop}/robots.txt"),
            ("robots-sitemap-duplicate", f"{shop}/robots.txt"),
            ("robots-blocks-sitemap", f"{shop}/robots.txt"),
            ("sitemap-dirt-rate", f"{shop}/"),
            ("priority-identical", f"{shop}/"),
            ("robots-no-sitemap-line", f"{blog}/robots.txt"),
            ("robots-too-large", f"{blog}/robots.txt"),
            ("robots-not-text", f"{blog}/robots.txt"),
            ("loc-above-directory", f"{blog}{_BLOG[-1]}"),
            ("canonical-elsewhere", blog + _COPY),
            ("canonical-target-missing-from-sitemap", blog + _COPY),
            ("robots-missing", f"{self.origins.bare}/robots.txt"),
            ("sitemap-not-found", f"{self.origins.bare}/"),
            ("robots-redirect-chain", f"{self.origins.maze}/robots.txt"),
            ("robots-unreachable", f"{self.origins.down}/robots.txt"),
        ]

    def _place(self, path: str) -> str:
        return self.origins.shop + path if path.startswith("/") else path

    def _shop(self, asked: Asked) -> Reply:
        if asked.host.startswith("localhost"):
            return self._alias(asked)
        if asked.path == "/robots.txt":
            return robots_txt(self.origins)
        if asked.path in self._files:
            return self._files[asked.path]()
        return self._planted.get(asked.path) or self._clean_page(asked.path)

    def _clean_page(self, path: str) -> Reply:
        if path in self._clean:
            return self._clean[path]
        address = self.origins.shop + path
        if path.startswith(("/news/", "/long?")) or path in (
            "/",
            "/about",
            "/contact",
            "/imprint",
            "/terms",
        ):
            return page(
                path.partition("?")[0].strip("/").capitalize() or "Demo shop", canonical=address
            )
        return Reply("Not found", 404, [HTML])

    def _maze(self, asked: Asked) -> Reply:
        if asked.path.startswith("/robots.txt"):
            return Reply(status=302, headers=[("Location", f"{asked.path}?again")])
        if asked.path == "/sitemap.xml":
            return xml(urlset([entry(f"{self.origins.maze}/")]))
        if asked.path == "/":
            return page("Maze", canonical=f"{self.origins.maze}/")
        return Reply("Not found", 404, [HTML])

    def _alias(self, asked: Asked) -> Reply:
        if asked.path == "/landing":
            return page("Landing", canonical=f"{self.origins.alias}/landing")
        return Reply("Not found", 404, [HTML])

    def _blog(self, asked: Asked) -> Reply:
        if asked.path == "/robots.txt":
            endless = "User-agent: *\nAllow: /\n" + "# endless\n" * 60_000
            return Reply(endless, headers=[("Content-Type", "application/octet-stream")])
        if asked.path == "/sitemap.xml":
            return xml(index([f"{self.origins.blog}/posts/sitemap.xml"]))
        if asked.path == "/posts/sitemap.xml":
            return xml(urlset(entry(self.origins.blog + path) for path in (*_BLOG, _COPY)))
        if asked.path in (*_BLOG, _COPY, _ORIGINAL):
            title = asked.path.strip("/").replace("/", " ").capitalize()
            own = _ORIGINAL if asked.path == _COPY else asked.path
            return page(title, canonical=self.origins.blog + own)
        return Reply("Not found", 404, [HTML])


def _deaf_socket(port: int) -> socket.socket:
    """Return a socket that is bound and never listened on: whoever connects is refused."""
    deaf = socket.socket()
    try:
        deaf.bind((LOOPBACK, port))
    except OSError:
        deaf.bind((LOOPBACK, 0))
    return deaf


def _given(reply: Reply) -> Reply:
    return reply


def _bare(asked: Asked) -> Reply:
    return page("Bare") if asked.path == "/" else Reply("Not found", 404, [HTML])
