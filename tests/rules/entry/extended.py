"""Entries with extensions, written by hand, and the rows that the reader returns for them."""

from datetime import datetime

from sitemapaudit.items import Entries, Entry, Sitemap
from sitemapaudit.sitemaps.extensions import IMAGE, NEWS, VIDEO, XHTML
from tests.rules.sitemap.files import PAGE, entries_of, read, response, url, urlset
from tests.rules.tables import Tables, tables_of
from tests.support.rows import NOW, SITEMAP

VIDEO_VALUES = {
    "thumbnail_loc": "https://img.example.com/a.jpg",
    "title": "A",
    "description": "Of A",
    "content_loc": "https://cdn.example.com/a.mp4",
}
NEWS_VALUES = {"publication_date": "2026-11-21", "title": "A"}


def image(loc: str | None = "https://img.example.com/a.jpg", more: str = "") -> str:
    """Return an image:image element."""
    return _element("image", IMAGE, _children("image", {"loc": loc}) + more)


def video(more: str | None = None, **values: str | None) -> str:
    """Return a complete video:video element with these values; None omits the element."""
    return _element("video", VIDEO, _children("video", {**VIDEO_VALUES, **values}) + (more or ""))


def news(name: str | None = "Example", language: str | None = "en", **values: str | None) -> str:
    """Return a complete news:news element with these values; None omits the element."""
    publication = _children("news", {"name": name, "language": language})
    rest = _children("news", {**NEWS_VALUES, **values})
    return _element("news", NEWS, f"<news:publication>{publication}</news:publication>{rest}")


def link(
    rel: str | None = "alternate", hreflang: str | None = "de", href: str | None = PAGE
) -> str:
    """Return an xhtml:link element; None omits the attribute."""
    values = {"rel": rel, "hreflang": hreflang, "href": href}
    attributes = (f'{name}="{value}"' for name, value in values.items() if value is not None)
    return f'<xhtml:link xmlns:xhtml="{XHTML}" {" ".join(attributes)}/>'


def entry_of(*extensions: str, loc: str = PAGE) -> Entry:
    """Return an entry with these extensions."""
    (entry,) = entries_of(urlset(url(loc, "".join(extensions))))
    return entry


def audit_entries(rule: str, *entries: str, fetched_at: datetime | None = NOW) -> Tables:
    """Return the tables of a run over one sitemap with these entries, audited by one rule."""
    body = urlset(*entries)
    row = read(response(body), Sitemap(SITEMAP))
    row.fetched_at = fetched_at
    return tables_of([row, Entries(SITEMAP, entries_of(body))], rule)


def positions(tables: Tables, rule: str) -> list[int]:
    """Return the positions of the findings of a rule."""
    rows = tables.findings[tables.findings["rule"] == rule]
    return sorted(int(position) for position in rows["position"])


def _element(prefix: str, namespace: str, content: str) -> str:
    return f'<{prefix}:{prefix} xmlns:{prefix}="{namespace}">{content}</{prefix}:{prefix}>'


def _children(prefix: str, values: dict[str, str | None]) -> str:
    return "".join(
        f"<{prefix}:{name}>{value}</{prefix}:{name}>"
        for name, value in values.items()
        if value is not None
    )
