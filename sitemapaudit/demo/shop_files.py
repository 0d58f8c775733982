"""The robots.txt and sitemaps of the demo shop, each with the rules that must report it."""

import gzip
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from sitemapaudit.demo.documents import GZIP, HTML, TEXT, entry, index, urlset, xml
from sitemapaudit.demo.extension_entries import BINDINGS, article, faulty_extensions
from sitemapaudit.demo.faulty_entries import PlantedEntry, faulty_entries
from sitemapaudit.demo.malformed_files import malformed_files
from sitemapaudit.demo.planted_pages import Origins, PlantedPage
from sitemapaudit.demo.server import Reply
from sitemapaudit.demo.week_later import (
    GUIDES_FILE,
    OFFERS_FILE,
    PRODUCTS_FILE,
    guides,
    offers,
    products,
)
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES, MAX_ENTRIES

ARCHIVE: Final = "/archive/"
"""The path prefix of URLs that only fill large files; demo audits exclude it."""

HUGE_INDEX: Final = "/huge-index.xml"
"""An index of too many sitemaps. It is declared nowhere: audit it with ``sitemap=``."""


class SitemapFile(Struct, frozen=True):
    """A sitemap of the shop, the rules that must report it, and the findings on its entries.

    ``entry_findings`` are pairs of rule and place, as in ``PlantedEntry``. ``reply`` makes the
    response on each request: some files are large.
    """

    path: str
    reply: Callable[[], Reply]
    rules: tuple[str, ...] = ()
    entry_findings: tuple[tuple[str, str | None], ...] = ()
    in_index: bool = True


def robots_txt(origins: Origins) -> Reply:
    """Return the robots.txt of the shop, with faulty Sitemap lines."""
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


def shop_files(
    origins: Origins, planted: list[PlantedPage], *, later: bool
) -> Iterator[SitemapFile]:
    """Yield the sitemaps of the shop; ``later`` selects the shop a week later."""
    shop = origins.shop
    parts = [
        *_clean(shop, later=later),
        *_listings(origins, planted),
        *_unreadable(),
        *(SitemapFile(*malformed) for malformed in malformed_files(shop)),
        *_large(shop),
        _nested(shop),
    ]
    yield from parts
    children = [shop + part.path for part in parts if part.in_index]
    children += [f"{origins.dead}/sitemap.xml", children[0]]
    yield SitemapFile("/sitemap.xml", lambda: xml(index(children)), ("index-child-duplicate",))
    yield SitemapFile(HUGE_INDEX, lambda: xml(_huge_index(shop)), in_index=False)


def _huge_index(shop: str) -> str:
    # Repeated children count too, but each is read only once.
    return index([shop + OFFERS_FILE] * (MAX_ENTRIES + 1))


def _clean(shop: str, *, later: bool) -> Iterator[SitemapFile]:
    yield SitemapFile(PRODUCTS_FILE, lambda: xml(urlset(products(shop, later=later))))
    yield SitemapFile(GUIDES_FILE, lambda: xml(urlset(guides(shop, later=later))))
    yield SitemapFile(OFFERS_FILE, lambda: xml(urlset(offers(shop))), in_index=not later)
    pages = [
        entry(shop + path, "2026-09-15T08:00:00+00:00") for path in ("/", "/about", "/contact")
    ]
    yield SitemapFile("/pages.xml.gz", lambda: _packed(urlset(pages)))
    extra = f"{shop}/imprint\n{shop}/terms\n"
    yield SitemapFile("/sitemaps/extra.txt", lambda: Reply(extra, headers=[TEXT]), in_index=False)


def _listings(origins: Origins, planted: list[PlantedPage]) -> Iterator[SitemapFile]:
    """Yield the sitemap of all faulty pages, and the sitemaps with faulty entries."""
    shop = origins.shop
    pages = [
        entry(page.path if page.reply is None else shop + page.path)
        for page in planted
        if page.listed
    ]
    yield SitemapFile("/sitemaps/pages-with-faults.xml", lambda: xml(urlset(pages)))
    faulty = [*faulty_entries(origins)]
    yield _listing("/sitemaps/entries-with-faults.xml", faulty, rules=("lastmod-missing",))
    extended = [
        *faulty_extensions(shop),
        PlantedEntry(entry(f"{shop}/news/again", "2026-04-04"), _AGAIN),
    ]
    yield _listing(
        "/sitemaps/extensions-with-faults.xml", extended, BINDINGS, ("extension-namespace",)
    )
    built = [entry(f"{shop}/news/built-{n}", "2026-10-10T10:10:10Z") for n in range(12)]
    yield SitemapFile("/sitemaps/built.xml", lambda: xml(urlset(built)), ("lastmod-identical",))


_AGAIN: Final = (
    ("lastmod-disagrees", "/news/again"),
    ("url-in-multiple-sitemaps", "/news/again"),
)


def _listing(
    path: str, planted: list[PlantedEntry], attributes: str = "", rules: tuple[str, ...] = ()
) -> SitemapFile:
    document = urlset((each.markup for each in planted), attributes=attributes)
    findings = tuple(finding for each in planted for finding in each.findings)
    return SitemapFile(path, lambda: xml(document), rules, findings)


def _unreadable() -> Iterator[SitemapFile]:
    yield SitemapFile("/sitemaps/gone.xml", lambda: Reply("", 404, [HTML]), ("sitemap-http-error",))
    yield SitemapFile(
        "/sitemaps/locked.xml", lambda: Reply("", 403, [HTML]), ("sitemap-access-denied",)
    )
    target = ("Location", PRODUCTS_FILE)
    yield SitemapFile(
        "/sitemaps/moved.xml", lambda: Reply(status=301, headers=[target]), ("sitemap-redirected",)
    )


def _nested(shop: str) -> SitemapFile:
    """Return a nested index. It lists its parent, which is outside its directory."""
    rules = ("index-nested", "index-cycle", "index-child-out-of-scope")
    children = [f"{shop}/pages.xml.gz", f"{shop}/sitemap.xml"]
    return SitemapFile("/sitemaps/nested.xml", lambda: xml(index(children)), rules)


def _large(shop: str) -> Iterator[SitemapFile]:
    """Yield files whose only fault is their size; demo audits exclude the URLs in them."""
    yield SitemapFile(
        "/sitemaps/large.xml.gz",
        lambda: _packed_urlset(_padded(f"{shop}{ARCHIVE}large/", MAX_BYTES)),
        ("sitemap-too-large",),
    )
    yield SitemapFile(
        "/sitemaps/many.xml.gz",
        lambda: _packed_urlset(entry(f"{shop}{ARCHIVE}{n}") for n in range(MAX_ENTRIES + 1)),
        ("sitemap-too-many-urls",),
    )
    yield SitemapFile(
        "/sitemaps/nearly.xml.gz",
        # Padding is much faster to read than 45,000 entries.
        lambda: _packed_urlset(_padded(f"{shop}{ARCHIVE}nearly/", 9 * MAX_BYTES // 10)),
        ("sitemap-near-limit",),
    )
    today = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    yield SitemapFile(
        "/sitemaps/news.xml.gz",
        lambda: _packed_urlset(
            entry(f"{shop}{ARCHIVE}news/{n}", more=article(today)) for n in range(1_001)
        ),
        ("news-too-many",),
    )


def _padded(prefix: str, size: int) -> Iterator[str]:
    """Yield entries that are padded with comments, of at least ``size`` bytes in total."""
    padding = f"<!-- {' ' * 1_048_576} -->"
    for number in range(size // len(padding) + 1):
        yield entry(f"{prefix}{number}") + padding


def _packed_urlset(entries: Iterable[str]) -> Reply:
    return _packed(urlset(entries, attributes=BINDINGS))


def _packed(document: str) -> Reply:
    return Reply(gzip.compress(document.encode(), compresslevel=1, mtime=0), headers=[GZIP])
