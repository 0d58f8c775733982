"""The robots.txt and the sitemaps of the demo shop, each with the rules that must find it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from sitemapaudit.demo.documents import GZIP, HTML, TEXT, entry, index, urlset, xml
from sitemapaudit.demo.plants import Origins, Plant
from sitemapaudit.demo.server import Reply
from sitemapaudit.sitemaps.dialects import NAMESPACE
from sitemapaudit.sitemaps.reader import MAX_BYTES, MAX_ENTRIES
from sitemapaudit.urls import MAX_LENGTH

PRODUCTS: Final = 150
ARCHIVE: Final = "/archive/"
"""The path of what only fills a file: the audit of the demo leaves it out."""


@dataclass(slots=True, frozen=True)
class File:
    """A sitemap of the shop, the rules that find something in it, and the findings on its entries.

    ``entries`` pairs a rule with the path of the URL concerned, or with None
    where the loc is no URL that could be asked for. ``reply`` is made when it
    is asked for: some are large.
    """

    path: str
    reply: Callable[[], Reply]
    faults: tuple[str, ...] = ()
    entries: tuple[tuple[str, str | None], ...] = ()
    in_index: bool = True


def robots_txt(origins: Origins) -> Reply:
    """Return the robots.txt of the shop: one of its Sitemap lines is relative."""
    lines = (
        "User-agent: *",
        "Disallow: /private/",
        "",
        f"Sitemap: {origins.shop}/sitemap.xml",
        "Sitemap: /sitemaps/extra.txt",
        f"Sitemap: {origins.down}/sitemap.xml",
    )
    return Reply("\n".join(lines) + "\n", headers=[TEXT])


def files(origins: Origins, planted: list[Plant]) -> Iterator[File]:
    """Yield the sitemaps of the shop, the index last."""
    shop = origins.shop
    parts = [
        *_clean(shop),
        *_listings(shop, planted),
        *_unread(),
        *_misformed(shop),
        *_large(shop),
        File(
            "/sitemaps/nested.xml",
            lambda: xml(index([f"{shop}/sitemap.xml"])),
            ("index-nested", "index-cycle"),
        ),
    ]
    yield from parts
    children = [shop + part.path for part in parts if part.in_index]
    children.append(f"{origins.dead}/sitemap.xml")
    yield File("/sitemap.xml", lambda: xml(index(children)))


def _clean(shop: str) -> Iterator[File]:
    numbers = range(1, PRODUCTS + 1)
    products = [entry(f"{shop}/product/{number}", "2026-10-01") for number in numbers]
    yield File("/sitemaps/products.xml", lambda: xml(urlset(products)))
    pages = [
        entry(shop + path, "2026-09-15T08:00:00+00:00") for path in ("/", "/about", "/contact")
    ]
    yield File("/sitemaps/pages.xml.gz", lambda: _packed(urlset(pages)))
    extra = f"{shop}/imprint\n{shop}/terms\n"
    yield File("/sitemaps/extra.txt", lambda: Reply(extra, headers=[TEXT]), in_index=False)


def _listings(shop: str, planted: list[Plant]) -> Iterator[File]:
    """Yield the sitemap that lists every faulty page, and one whose entries are faulty."""
    pages = [
        entry(plant.path if plant.reply is None else shop + plant.path)
        for plant in planted
        if plant.listed
    ]
    yield File("/sitemaps/pages-with-faults.xml", lambda: xml(urlset(pages)))
    long = "/long?" + "x" * MAX_LENGTH
    entries = [
        "<url><lastmod>2026-11-01</lastmod></url>",
        entry("/news/relative"),
        entry("ftp://files.example.com/news"),
        entry(f"{shop}/news/with space"),
        entry(shop + long),
        entry(f"{shop}/news/twice"),
        entry(f"{shop}/news/twice"),
        entry(f"{shop}/news/yesterday", "20/11/2026"),
        entry(f"{shop}/news/this-month", "2026-11"),
        entry(f"{shop}/product/5"),
    ]
    found = (
        ("loc-missing", None),
        ("loc-not-absolute", None),
        ("loc-invalid", None),
        ("loc-invalid", "/news/with%20space"),
        ("loc-too-long", long),
        ("loc-duplicate", "/news/twice"),
        ("lastmod-invalid", "/news/yesterday"),
        ("lastmod-invalid", "/news/this-month"),
        ("url-in-multiple-sitemaps", "/product/5"),
    )
    yield File("/sitemaps/entries-with-faults.xml", lambda: xml(urlset(entries)), entries=found)


def _unread() -> Iterator[File]:
    yield File("/sitemaps/gone.xml", lambda: Reply("", 404, [HTML]), ("sitemap-http-error",))
    yield File("/sitemaps/locked.xml", lambda: Reply("", 403, [HTML]), ("sitemap-access-denied",))
    target = ("Location", "/sitemaps/products.xml")
    yield File(
        "/sitemaps/moved.xml", lambda: Reply(status=301, headers=[target]), ("sitemap-redirected",)
    )


def _misformed(shop: str) -> Iterator[File]:
    yield File("/sitemaps/empty.xml", lambda: xml("\n"), ("sitemap-body-empty",))
    yield File("/sitemaps/none.xml", lambda: xml(urlset([])), ("sitemap-no-entries",))
    app = "<!doctype html>\n<title>Demo shop</title>\n<div id=app></div>\n"
    yield File("/sitemaps/app.xml", lambda: Reply(app, headers=[HTML]), ("sitemap-is-html",))
    packed = _packed(urlset([entry(f"{shop}/news/packed")])).payload
    yield File(
        "/sitemaps/half.xml.gz",
        lambda: Reply(packed[:-8], headers=[GZIP]),
        ("sitemap-gzip-invalid",),
    )
    bare = f"<url><loc>{shop}/news/search?a=1&b=2</loc></url>"
    broken = urlset([entry(f"{shop}/news/before"), bare, entry(f"{shop}/news/behind")])
    yield File("/sitemaps/ampersand.xml", lambda: xml(broken), ("sitemap-xml-malformed",))
    json = '{"urls": ["/news/json"]}'
    yield File(
        "/sitemaps/data.json", lambda: Reply(json, headers=[TEXT]), ("sitemap-format-unknown",)
    )
    wrong = urlset([entry(f"{shop}/news/namespace")], NAMESPACE.replace("http:", "https:"))
    yield File("/sitemaps/namespace.xml", lambda: xml(wrong), ("sitemap-namespace",))


def _large(shop: str) -> Iterator[File]:
    """Yield the files that only size makes faulty; what they list is left out of the audit."""
    padding = f"<!-- {' ' * 1_048_576} -->"
    count = MAX_BYTES // len(padding) + 1
    yield File(
        "/sitemaps/large.xml.gz",
        lambda: _packed(urlset(entry(f"{shop}{ARCHIVE}large/{n}") + padding for n in range(count))),
        ("sitemap-too-large",),
    )
    yield File(
        "/sitemaps/many.xml.gz",
        lambda: _packed(urlset(entry(f"{shop}{ARCHIVE}{n}") for n in range(MAX_ENTRIES + 1))),
        ("sitemap-too-many-urls",),
    )


def _packed(document: str) -> Reply:
    return Reply(gzip.compress(document.encode(), compresslevel=1, mtime=0), headers=[GZIP])
