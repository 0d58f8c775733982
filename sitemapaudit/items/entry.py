"""The entries of sitemaps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.alternate import Alternate
from sitemapaudit.items.vocabulary import Kind, SkipReason


@dataclass(slots=True)
class Image:
    """An ``image:image`` element of an entry."""

    loc: str | None = None
    title: str | None = None
    caption: str | None = None
    geo_location: str | None = None
    license: str | None = None


@dataclass(slots=True)
class Video:
    """A ``video:video`` element of an entry."""

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
    """A ``news:news`` element of an entry."""

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
    """A row per occurrence: an entry of a sitemap, exactly as written.

    Most entries have no element that can occur several times: they share one empty sequence.
    """

    sitemap: Annotated[str, "the sitemap that lists it"]
    position: Annotated[int, "its ordinal in the file, from 1"]
    kind: Annotated[Kind, "`kind` of the file; the entries of a `sitemapindex` are sitemaps"]
    loc: Annotated[str | None, "exactly as written, entities decoded"] = None
    url: Annotated[str | None, "normalized; null if `loc` is not a valid http(s) URL"] = None
    lastmod: Annotated[str | None, "as written"] = None
    changefreq: Annotated[str | None, "as written"] = None
    priority: Annotated[str | None, "as written"] = None
    lastmod_at: Annotated[datetime | None, "`lastmod` in UTC; null if invalid"] = None
    images: Annotated[Sequence[Image], "image extension"] = ()
    videos: Annotated[Sequence[Video], "video extension"] = ()
    news: Annotated[Sequence[News], "news extension"] = ()
    alternates: Annotated[Sequence[Alternate], "`xhtml:link` elements"] = ()
    unknown_elements: Annotated[
        Sequence[str],
        "elements in the sitemap namespace that the schema does not allow here, each once, as a "
        "path such as `image:image/loc`; at most 20",
    ] = ()
    repeated_elements: Annotated[
        Sequence[str], "which of loc, lastmod, changefreq, priority occur more than once"
    ] = ()
    out_of_order: Annotated[
        bool,
        "its children are not in the order loc, lastmod, changefreq, priority, extensions",
    ] = False
    line: Annotated[int | None, "line of the file where it begins"] = None
    recovered: Annotated[bool, "recovered after the first XML error of the file"] = False
    truncated_columns: Annotated[
        Sequence[str],
        "columns that contain only a part of what was sent, because it was too long",
    ] = ()
    skip_reason: Annotated[
        SkipReason | None,
        "why it was not fetched: `pages`, `include`, `exclude`, `since`, `shard` (arguments), "
        "`limit` (AUDIT_MAX_URLS), `hosts` (AUDIT_MAX_HOSTS)",
    ] = None


@dataclass(slots=True)
class Entries:
    """Consecutive entries of one sitemap: one item per batch is faster than one per entry."""

    sitemap: str
    rows: list[Entry]
