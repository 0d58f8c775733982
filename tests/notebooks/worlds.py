"""Runs with planted facts for the notebooks, and an almost empty run."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sitemapaudit import Run
from sitemapaudit.items import Alternate, Entries, Entry, Kind, Page, Robots, Sitemap, SkipReason
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.support.rows import NOW, fetched_page, listed
from tests.support.runs import build_audited_run

SHOP, BLOG, WIKI = ("https://shop.example", "https://blog.example", "https://wiki.example")
PRODUCTS, OLD, NEWS = (f"{SHOP}/{name}.xml" for name in ("products", "old$_$", "news"))

RULES = {"page-not-found", "noindex-meta", "hreflang-no-return", "audit-incomplete"}
"""The rules of these runs: a few are enough, and fast."""

CODES = ("en", "de", "fr")
Row = Robots | Sitemap | Entries | Page


def build_audits(folder: Path) -> None:
    """Build two runs of a shop, two of a blog that got worse, and a stopped run of a wiki."""
    earlier = NOW - timedelta(days=7)
    run_of(folder, SHOP, earlier, _shop(earlier, 0))
    run_of(folder, SHOP, NOW, _shop(NOW, 1))
    run_of(folder, BLOG, earlier, _blog(0))
    run_of(folder, BLOG, NOW - timedelta(hours=1), _blog(4))
    run_of(folder, WIKI, NOW - timedelta(hours=2), _blog(0), reason="it was stopped")


def build_bare(folder: Path) -> None:
    """Build a run without lastmods, hreflang and responses."""
    sitemap = f"{SHOP}/list.txt"
    file = Sitemap(sitemap, status=200, kind=Kind.TEXT, entries=3, fetched_at=NOW)
    entries = listed(*(f"{SHOP}/{name}" for name in "abc"), sitemap=sitemap, kind=Kind.TEXT)
    for row in entries.rows:
        row.skip_reason = SkipReason.PAGES
    run_of(folder, SHOP, NOW, [file, entries], pages="none")


def run_of(audits: Path, site: str, started: datetime, rows: Iterable[Row], **values: Any) -> Run:
    """Build a run of a site, in the folder that a crawl would use."""
    folder = audits / site.removeprefix("https://") / started.strftime("%Y-%m-%dT%H-%M-%SZ")
    folder.mkdir(parents=True)
    others = dict.fromkeys(catalog().keys() - RULES, "off")
    run = build_audited_run(folder, rows, site=site, rules=others, **values)
    manifest = replace(run.manifest, started=started.strftime("%Y-%m-%dT%H:%M:%SZ"))
    manifest.write(folder)
    return run


def _file(sitemap: str, entries: int, fetched: datetime) -> Sitemap:
    return Sitemap(
        sitemap,
        status=200,
        content_type="application/xml",
        kind=Kind.URLSET,
        namespace=NAMESPACE,
        entries=entries,
        last_modified=fetched - timedelta(hours=9),
        fetched_at=fetched,
    )


def _page(url: str, status: int = 200, **values: Any) -> Page:
    defaults = {"noindex": False, "content_type": "text/html", "is_html": True, "canonical": url}
    return fetched_page(url, status, **defaults | values)


def _shop(fetched: datetime, run: int) -> Iterator[Row]:
    """Products in three languages, an old shop with errors, and news dated by a build."""
    for sitemap, entries in ((PRODUCTS, 58), (OLD, 40), (NEWS, 30)):
        yield _file(sitemap, entries, fetched)
    yield from _products(run)
    old = [f"{SHOP}/old/{number}" for number in range(40)]
    yield _dated(OLD, old, [datetime(2020, 1, 1 + at % 28, tzinfo=UTC) for at in range(40)])
    for at, url in enumerate(old):
        yield _page(url, 404 if at < 20 + 5 * run else 200, noindex=at >= 30)
    news = [f"{SHOP}/news/{number + 3 * run}" for number in range(30)]
    yield _dated(NEWS, news, [fetched - timedelta(hours=9, seconds=5 * at) for at in range(30)])
    for url in news:
        yield _page(url, content_hash="the same")


def _products(run: int) -> Iterator[Row]:
    """Twenty products, two of them without a French page.

    Seven French pages have no return links, in the second run eight. In the second run, the texts
    of six products have changed. The lastmods of four of these have changed, and of one other
    product. The headers of five pages contradict their lastmods.
    """
    entries: list[Entry] = []
    for number in range(20):
        codes = CODES if number < 18 else CODES[:2]
        urls = {code: f"{SHOP}/{code}/product/{number}" for code in codes}
        lastmod_changed = run and number in (0, 1, 2, 3, 10)
        lastmod = datetime(2026, 11, 18, 9, tzinfo=UTC) if lastmod_changed else _day(number)
        alternates = [Alternate("sitemap", "alternate", *each, each[1]) for each in urls.items()]
        for code, url in urls.items():
            no_return = code == "fr" and number < 7 + run
            row = _entry(PRODUCTS, len(entries) + 1, url, lastmod)
            entries.append(row if no_return else replace(row, alternates=alternates))
            header = lastmod - timedelta(days=200) if code == "en" and number >= 15 else None
            text = f"{url} {run if number < 6 else 0}"
            yield _page(url, content_hash=text, last_modified=header)
    yield Entries(PRODUCTS, entries)


def _blog(gone: int) -> Iterator[Row]:
    sitemap = f"{BLOG}/sitemap.xml"
    posts = [f"{BLOG}/{'post' if number < 10 else 'page'}/{number}" for number in range(20)]
    yield _file(sitemap, 20, NOW)
    yield _dated(sitemap, posts, [_day(number) for number in range(20)])
    for at, url in enumerate(posts):
        yield _page(url, 404 if at < gone else 200)


def _day(number: int) -> datetime:
    return datetime(2026, 5, 1, 8, tzinfo=UTC) + timedelta(days=7 * number)


def _dated(sitemap: str, urls: list[str], moments: list[datetime]) -> Entries:
    rows = zip(urls, moments, strict=True)
    return Entries(sitemap, [_entry(sitemap, at, *row) for at, row in enumerate(rows, start=1)])


def _entry(sitemap: str, position: int, url: str, lastmod: datetime) -> Entry:
    written = lastmod.strftime("%Y-%m-%dT%H:%M:%SZ")
    return Entry(sitemap, position, Kind.URLSET, url, url, written, lastmod_at=lastmod)
