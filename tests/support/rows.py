"""Rows of the tables, as readers and crawls make them."""

from datetime import UTC, datetime
from typing import Any

from sitemapaudit.items import (
    Entries,
    Entry,
    Kind,
    Page,
    Region,
    Rendering,
    RenderReason,
    Role,
    Sitemap,
    Verdict,
)
from sitemapaudit.pages.links import NOFOLLOW, REGIONS, PageLinks
from sitemapaudit.runs.ledger.link_log import LinkRecord
from sitemapaudit.runs.ledger.records import ReadItem
from sitemapaudit.urls import digest_bytes, normalize
from sitemapaudit.verdicts import decide_verdict

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

SITEMAP = "https://www.example.com/sitemap.xml"


def listed(*locs: str, sitemap: str = SITEMAP, kind: Kind = Kind.URLSET) -> Entries:
    """Return the entries of a sitemap that lists these locs."""
    rows = [
        Entry(sitemap, position, kind, loc, normalize(loc.strip()))
        for position, loc in enumerate(locs, start=1)
    ]
    return Entries(sitemap, rows)


def sitemap_of(entries: Entries) -> Sitemap:
    """Return the row of the sitemap that has these entries."""
    kind = entries.rows[0].kind
    return Sitemap(entries.sitemap, status=200, kind=kind, entries=len(entries.rows))


def fetched_page(url: str, status: int | None = 200, **values: Any) -> Page:
    """Return the row of a page that was fetched, with the verdict that its values give."""
    page = Page(url, values.pop("role", Role.LISTED), status=status, fetched_at=NOW, **values)
    page.verdict = decide_verdict(page)
    return page


def linked_page(
    url: str,
    *targets: str,
    nofollow: bool = False,
    region: Region = Region.MAIN,
    **values: Any,
) -> ReadItem[Page]:
    """Return a page that was read, with links to these URLs in one of its regions."""
    given = {"is_html": True, "noindex": False, "words": 200, "allowed": True, **values}
    flag = REGIONS.index(region) + (NOFOLLOW if nofollow else 0)
    names = {digest_bytes(name): name for name in (url, *targets)}
    source, found = digest_bytes(url), [*map(digest_bytes, dict.fromkeys(targets))]
    edges = b"".join(target + bytes([flag]) for target in found)
    links = PageLinks(url, source, found, edges, names, given.pop("dropped", 0))
    if not {"nofollow", "none"}.isdisjoint(given.get("directives", ())):
        links.forbid_following()
    record = LinkRecord.of(links)
    return ReadItem(fetched_page(url, given.pop("status", 200), **given), record)


def rendered(page: Page, verdict: Verdict | None = Verdict.INDEXABLE, **values: Any) -> Rendering:
    """Return the row of a rendering that changed only these values."""
    names = ("noindex", "canonical", "canonicals", "title", "h1", "words", "directives", "soft_404")
    same = {name: getattr(page, name) for name in names}
    end = {"status": 200, "final_url": page.url, "idle": True, "ended_at": NOW}
    links = {"links": 0, "links_added": 0, "links_removed": 0}
    return Rendering(
        page.url, RenderReason.ALWAYS, verdict=verdict, **{**same, **end, **links, **values}
    )
