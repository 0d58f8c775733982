"""The robots.txt and the sitemaps of the demo shop, each with the rules that must find it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sitemapaudit.demo.documents import GZIP, HTML, TEXT, entry, index, urlset, xml
from sitemapaudit.demo.entries import Planted, faulty_entries
from sitemapaudit.demo.extensions import BINDINGS, article, faulty_extensions
from sitemapaudit.demo.misformed import misformed
from sitemapaudit.demo.plants import Origins, Plant
from sitemapaudit.demo.server import Reply
from sitemapaudit.demo.week import (
    GUIDES_FILE,
    OFFERS_FILE,
    PRODUCTS_FILE,
    guides,
    offers,
    products,
)
from sitemapaudit.sitemaps.reader import MAX_BYTES, MAX_ENTRIES

ARCHIVE: Final = "/archive/"
"""The path of what only fills a file: the audit of the demo leaves it out."""

HUGE_INDEX: Final = "/huge-index.xml"
"""An index of too many sitemaps, which nothing declares: it is audited by itself."""


@dataclass(slots=True, frozen=True)
class File:
    """A sitemap of the shop, the rules that find something in it, and the findings on its entries.

    ``entries`` pairs a rule with a place, as ``Planted`` does. ``reply`` is made when it is
    asked for: some are large.
    """

    path: str
    reply: Callable[[], Reply]
    faults: tuple[str, ...] = ()
    entries: tuple[tuple[str, str | None], ...] = ()
    in_index: bool = True


def robots_txt(origins: Origins) -> Reply:
    """Return the robots.txt of the shop: some of its Sitemap lines are faulty."""
    lines = (
        "User-agent: *",
        "Disallow: /private/",
        "",
        f"Sitemap: {origins.shop}/sitemap.xml",
        "Sitemap: /sitemaps/extra.txt",
        f"Sitemap: {origins.down}/sitemap.xml",
        f"Sitemap: {origins.shop}/sitemap.xml",
        f"Sitemap: {origins.shop}/private/sitemap.xml",
    )
    return Reply("\n".join(lines) + "\n", headers=[TEXT])


def files(origins: Origins, planted: list[Plant], *, later: bool) -> Iterator[File]:
    """Yield the sitemaps of the shop, the index last; ``later`` is a week later."""
    shop = origins.shop
    parts = [
        *_clean(shop, later=later),
        *_listings(origins, planted),
        *_unread(),
        *(File(path, reply, faults) for path, reply, faults in misformed(shop)),
        *_large(shop),
        _nested(shop),
    ]
    yield from parts
    children = [shop + part.path for part in parts if part.in_index]
    children += [f"{origins.dead}/sitemap.xml", children[0]]
    yield File("/sitemap.xml", lambda: xml(index(children)), ("index-child-duplicate",))
    many = (f"{shop}{ARCHIVE}{number}.xml" for number in range(MAX_ENTRIES + 1))
    yield File(HUGE_INDEX, lambda: xml(index(many)), in_index=False)


def _clean(shop: str, *, later: bool) -> Iterator[File]:
    yield File(PRODUCTS_FILE, lambda: xml(urlset(products(shop, later=later))))
    yield File(GUIDES_FILE, lambda: xml(urlset(guides(shop, later=later))))
    yield File(OFFERS_FILE, lambda: xml(urlset(offers(shop))), in_index=not later)
    pages = [
        entry(shop + path, "2026-09-15T08:00:00+00:00") for path in ("/", "/about", "/contact")
    ]
    yield File("/pages.xml.gz", lambda: _packed(urlset(pages)))
    extra = f"{shop}/imprint\n{shop}/terms\n"
    yield File("/sitemaps/extra.txt", lambda: Reply(extra, headers=[TEXT]), in_index=False)


def _listings(origins: Origins, planted: list[Plant]) -> Iterator[File]:
    """Yield the sitemap that lists every faulty page, and those whose entries are faulty."""
    shop = origins.shop
    pages = [
        entry(plant.path if plant.reply is None else shop + plant.path)
        for plant in planted
        if plant.listed
    ]
    yield File("/sitemaps/pages-with-faults.xml", lambda: xml(urlset(pages)))
    faulty = [*faulty_entries(origins)]
    yield _listing("/sitemaps/entries-with-faults.xml", faulty, faults=("lastmod-missing",))
    extended = [
        *faulty_extensions(shop),
        Planted(entry(f"{shop}/news/again", "2026-04-04"), _AGAIN),
    ]
    yield _listing(
        "/sitemaps/extensions-with-faults.xml", extended, BINDINGS, ("extension-namespace",)
    )
    built = [entry(f"{shop}/news/built-{n}", "2026-10-10T10:10:10Z") for n in range(12)]
    yield File("/sitemaps/built.xml", lambda: xml(urlset(built)), ("lastmod-identical",))


_AGAIN: Final = (
    ("lastmod-disagrees", "/news/again"),
    ("url-in-multiple-sitemaps", "/news/again"),
)


def _listing(
    path: str, planted: list[Planted], attributes: str = "", faults: tuple[str, ...] = ()
) -> File:
    document = urlset((each.markup for each in planted), attributes=attributes)
    found = tuple(finding for each in planted for finding in each.findings)
    return File(path, lambda: xml(document), faults, found)


def _unread() -> Iterator[File]:
    yield File("/sitemaps/gone.xml", lambda: Reply("", 404, [HTML]), ("sitemap-http-error",))
    yield File("/sitemaps/locked.xml", lambda: Reply("", 403, [HTML]), ("sitemap-access-denied",))
    target = ("Location", PRODUCTS_FILE)
    yield File(
        "/sitemaps/moved.xml", lambda: Reply(status=301, headers=[target]), ("sitemap-redirected",)
    )


def _nested(shop: str) -> File:
    """Return an index within the index, which lists the one above it: that lies elsewhere, too."""
    faults = ("index-nested", "index-cycle", "index-child-out-of-scope")
    children = [f"{shop}/pages.xml.gz", f"{shop}/sitemap.xml"]
    return File("/sitemaps/nested.xml", lambda: xml(index(children)), faults)


def _large(shop: str) -> Iterator[File]:
    """Yield the files that only size makes faulty; what they list is left out of the audit."""
    padding = f"<!-- {' ' * 1_048_576} -->"
    count = MAX_BYTES // len(padding) + 1
    yield File(
        "/sitemaps/large.xml.gz",
        lambda: _packed_urlset(entry(f"{shop}{ARCHIVE}large/{n}") + padding for n in range(count)),
        ("sitemap-too-large",),
    )
    yield File(
        "/sitemaps/many.xml.gz",
        lambda: _packed_urlset(entry(f"{shop}{ARCHIVE}{n}") for n in range(MAX_ENTRIES + 1)),
        ("sitemap-too-many-urls",),
    )
    yield File(
        "/sitemaps/nearly.xml.gz",
        lambda: _packed_urlset(entry(f"{shop}{ARCHIVE}nearly/{n}") for n in range(45_000)),
        ("sitemap-near-limit",),
    )
    today = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield File(
        "/sitemaps/news.xml.gz",
        lambda: _packed_urlset(
            entry(f"{shop}{ARCHIVE}news/{n}", more=article(today)) for n in range(1_001)
        ),
        ("news-too-many",),
    )


def _packed_urlset(entries: Iterable[str]) -> Reply:
    return _packed(urlset(entries, attributes=BINDINGS))


def _packed(document: str) -> Reply:
    return Reply(gzip.compress(document.encode(), compresslevel=1, mtime=0), headers=[GZIP])
