"""What an entry of a sitemap says."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.alternates import Alternate
from sitemapaudit.items.words import Kind, LeftOut


@dataclass(slots=True)
class Image:
    """An ``image:image`` of an entry."""

    loc: str | None = None
    title: str | None = None
    caption: str | None = None
    geo_location: str | None = None
    license: str | None = None


@dataclass(slots=True)
class Video:
    """A ``video:video`` of an entry."""

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    duration: str | None = None
    expiration_date: str | None = None
    rating: str | None = None
    view_count: str | None = None
    publication_date: str | None = None
    family_friendly: str | None = None
    restriction: str | None = None
    restriction_relationship: str | None = None
    platform: str | None = None
    platform_relationship: str | None = None
    price: str | None = None
    price_currency: str | None = None
    requires_subscription: str | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    live: str | None = None
    tag: list[str] = field(default_factory=list)
    category: str | None = None
    gallery_loc: str | None = None
    tvshow: str | None = None
    published_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(slots=True)
class News:
    """A ``news:news`` of an entry."""

    name: str | None = None
    language: str | None = None
    publication_date: str | None = None
    title: str | None = None
    access: str | None = None
    genres: str | None = None
    keywords: str | None = None
    stock_tickers: str | None = None
    published_at: datetime | None = None


@dataclass(slots=True)
class Entry:
    """A row for each occurrence: an entry of a sitemap, exactly as it stands there."""

    sitemap: Annotated[str, "the file that lists it"]
    position: Annotated[int, "its ordinal in the file, from 1"]
    kind: Annotated[Kind, "`kind` of the file; the entries of a `sitemapindex` are files"]
    loc: Annotated[str | None, "exactly as written, entities decoded"] = None
    url: Annotated[
        str | None, "normalised; null if `loc` is no http(s) URL that can be asked for"
    ] = None
    lastmod: Annotated[str | None, "as written"] = None
    changefreq: Annotated[str | None, "as written"] = None
    priority: Annotated[str | None, "as written"] = None
    lastmod_at: Annotated[datetime | None, "`lastmod` in UTC, null if not valid"] = None
    images: Annotated[list[Image], "image extension"] = field(default_factory=list)
    videos: Annotated[list[Video], "video extension"] = field(default_factory=list)
    news: Annotated[list[News], "news extension"] = field(default_factory=list)
    alternates: Annotated[list[Alternate], "`xhtml:link` elements"] = field(default_factory=list)
    unknown: Annotated[
        list[str],
        "elements in the namespace of sitemaps that the schema does not know at their place, "
        "each once, as a path such as `image:image/loc`; 20 at most",
    ] = field(default_factory=list)
    repeated: Annotated[
        list[str], "which of loc, lastmod, changefreq, priority stand more than once"
    ] = field(default_factory=list)
    disordered: Annotated[
        bool, "its children are not in the order loc, lastmod, changefreq, priority, extensions"
    ] = False
    line: Annotated[int | None, "line of the file where it begins"] = None
    recovered: Annotated[bool, "saved behind the first fault of the file"] = False
    left_out: Annotated[
        LeftOut | None,
        "why it was not to be asked for: `pages`, `include`, `exclude`, `since`, "
        "`shard` (chosen), `limit` (AUDIT_MAX_URLS), `hosts` (AUDIT_MAX_HOSTS)",
    ] = None


@dataclass(slots=True)
class Entries:
    """Neighbouring entries of one sitemap, which travel together for speed."""

    sitemap: str
    rows: list[Entry]
