"""Entries with extensions, written by hand, and the rows that the reader makes of them."""

from datetime import datetime
from pathlib import Path

from sitemapaudit import Run
from sitemapaudit.items import Entries, Entry, Sitemap
from sitemapaudit.sitemaps.extensions import IMAGE, NEWS, VIDEO, XHTML
from tests.rules.sitemap.files import PAGE, answer, entries_of, read, url, urlset
from tests.support import NOW, SITEMAP, build_run

VIDEO_VALUES = {
    "thumbnail_loc": "https://img.example.com/a.jpg",
    "title": "A",
    "description": "Of A",
    "content_loc": "https://cdn.example.com/a.mp4",
}
NEWS_VALUES = {"publication_date": "2026-11-21", "title": "A"}


def image(loc: str | None = "https://img.example.com/a.jpg", more: str = "") -> str:
    """Return an image."""
    return _element("image", IMAGE, _children("image", {"loc": loc}) + more)


def video(more: str | None = None, **values: str | None) -> str:
    """Return a video that has all it needs, but for these values: None leaves one out."""
    return _element("video", VIDEO, _children("video", {**VIDEO_VALUES, **values}) + (more or ""))


def news(name: str | None = "Example", language: str | None = "en", **values: str | None) -> str:
    """Return an article that has all it needs, but for these values: None leaves one out."""
    publication = _children("news", {"name": name, "language": language})
    rest = _children("news", {**NEWS_VALUES, **values})
    return _element("news", NEWS, f"<news:publication>{publication}</news:publication>{rest}")


def link(
    rel: str | None = "alternate", hreflang: str | None = "de", href: str | None = PAGE
) -> str:
    """Return an xhtml:link; None leaves an attribute out."""
    values = {"rel": rel, "hreflang": hreflang, "href": href}
    attributes = (f'{name}="{value}"' for name, value in values.items() if value is not None)
    return f'<xhtml:link xmlns:xhtml="{XHTML}" {" ".join(attributes)}/>'


def entry_of(*extensions: str, loc: str = PAGE) -> Entry:
    """Return an entry that has these extensions."""
    (entry,) = entries_of(urlset(url(loc, "".join(extensions))))
    return entry


def run_of(folder: Path, *entries: str, at: datetime | None = NOW) -> Run:
    """Return the run folder of a sitemap with these entries, which was fetched then."""
    body = urlset(*entries)
    row = read(answer(body), Sitemap(SITEMAP))
    row.fetched_at = at
    return build_run(folder, [row, Entries(SITEMAP, entries_of(body))])


def positions(run: Run, rule: str) -> list[int]:
    """Return the positions of the entries that a rule finds fault with."""
    rows = run.findings[run.findings["rule"] == rule]
    return sorted(int(position) for position in rows["position"])


def _element(prefix: str, namespace: str, content: str) -> str:
    return f'<{prefix}:{prefix} xmlns:{prefix}="{namespace}">{content}</{prefix}:{prefix}>'


def _children(prefix: str, values: dict[str, str | None]) -> str:
    return "".join(
        f"<{prefix}:{name}>{value}</{prefix}:{name}>"
        for name, value in values.items()
        if value is not None
    )
