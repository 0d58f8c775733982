"""Lists the changes of a repair and their reasons, as SQL over its tables.

Each statement compares the original entries with the written ones. A row counts things of one kind
in one entry, so even a huge entry has only a few rows.
"""

from dataclasses import dataclass
from typing import Annotated, Final

import duckdb

from sitemapaudit.items import Kind, SitemapSource, Verdict
from sitemapaudit.items.schema import columns
from sitemapaudit.repair.decisions import CHANGED
from sitemapaudit.sitemaps.w3c_dates import EARLIEST


@dataclass(slots=True)
class RepairChange:
    """A row of the table ``changes``."""

    url: Annotated[str, "the URL; the loc if it is not a usable URL"]
    sitemap: Annotated[
        str, "the file that lists it; of an added URL, the file that its new entry joins"
    ]
    change: Annotated[
        str,
        "of a URL: `dropped`, `replaced`, `merged`, `added`; of a value of its entry: "
        "`images removed`, `lastmod removed` and so on; of a file: `unreadable`, `partly read`",
    ]
    count: Annotated[int, "how many things the row is about: URLs, images, links …"]
    replacement: Annotated[str | None, "the URL that is written instead"]
    reason: Annotated[str, "a rule (`sitemapaudit rules ID`), a verdict, or a few words"]


CHANGE: Final = "if(target is null, 'dropped', 'replaced')"
"""SQL: the change of a URL in ``decided`` that is ``CHANGED``."""

HAS_NO_URL: Final = f"url is null and kind <> '{Kind.SITEMAPINDEX}'"
"""SQL: whether an entry is dropped because its loc is not a usable URL."""

_URLS: Final = f"""
    select decided.url, sitemaps[1] as sitemap,
        {CHANGE} as change, 1 as "count", target as replacement,
        case
            when unfit is not null and (
                decided.unchecked or decided.is_own_canonical
                or decided.verdict = '{Verdict.INDEXABLE}'
            ) then unfit
            when decided.verdict = '{Verdict.REDIRECTED}' and points_to is null
                then decided.verdict || ' without a usable target'
            when decided.verdict in ('{Verdict.REDIRECTED}', '{Verdict.CANONICALIZED}')
                and target is null then decided.verdict || ' to a URL that is not indexable'
            else decided.verdict
        end as reason
    from (from decided where {CHANGED}) as decided join urls using (url)
"""

_NO_URLS: Final = f"""
    select coalesce(loc, ''), sitemap, 'dropped', 1, null,
        if(trimmed(coalesce(loc, '')) = '', 'no loc', 'the loc is not a usable URL')
    from entries
    where {HAS_NO_URL}
"""

_MERGED: Final = """
    select source, min(sitemap), 'merged', count(*), null, 'listed ' || count(*) || ' times'
    from placed where source = target
    group by source
    having count(*) > 1
"""

_FILES: Final = f"""
    select '', sitemap, if(entries > 0, 'partly read', 'unreadable'), 1, null,
        case
            when error is not null then error
            when status not between 200 and 299 then 'status ' || status
            when gzip_error is not null then 'sitemap-gzip-invalid'
            when truncated then 'sitemap-too-large'
            when not complete then 'the run ended while reading it'
            when xml_error is not null then 'sitemap-xml-malformed'
            else 'not a sitemap'
        end
    from sitemaps
    where source <> '{SitemapSource.WELL_KNOWN}' and (
        error is not null or status not between 200 and 299 or gzip_error is not null or truncated
        or not complete or xml_error is not null or kind in ('{Kind.HTML}', '{Kind.UNKNOWN}')
    )
"""

# A file with identical lastmods has one row, not one per entry.
_LASTMODS: Final = f"""
    select if(lastmod_identical, '', source), placed.sitemap, 'lastmod removed', count(*), null,
        case
            when lastmod_identical then 'lastmod-identical'
            when lastmod_at is null and kind in ('{Kind.RSS}', '{Kind.ATOM}')
                then 'not a date of the feed''s format'
            when lastmod_at is null or lastmod_at < '{EARLIEST}' then 'lastmod-invalid'
            when source <> target then 'belongs to the replaced URL'
            when lastmod_at > coalesce(fetched_at, now()) then 'lastmod-future'
            when placed.lastmod is null then 'no day'
            else 'another entry of the URL has a later one'
        end
    from placed join kept on kept.url = target
    where trimmed(was_lastmod) <> '' and (placed.lastmod = kept.lastmod) is not true
    group by all
"""


def _value(name: str) -> str:
    """Return the statement for changefreq or priority."""
    return f"""
        select source, placed.sitemap, '{name} removed', 1, null,
            if(placed.{name} is null, '{name}-invalid', 'another entry of the URL has one')
        from placed join kept on kept.url = target
        where trimmed(was_{name}) <> '' and (placed.{name} = kept.{name}) is not true
    """


def _invalid(name: str, count: str, rule: str) -> str:
    """Return the statement for images, videos or news that break a rule."""
    return f"""
        select source, sitemap, '{name} removed', {count}, null, {rule}
        from placed where {count} > 0
    """


def _others(name: str) -> str:
    """Return the statement for images, videos or news that another entry of the URL replaces."""
    return f"""
        select source, placed.sitemap, '{name} removed', len(placed.{name}), null,
            'another entry of the URL has some'
        from placed join kept on kept.url = target
        where len(placed.{name}) > 0 and placed.{name} <> kept.{name}
    """


def _values(name: str, fields: tuple[str, ...], rule: str) -> str:
    """Return the statement for deprecated values of images, videos or news."""
    some = " or ".join(f"item.{field} is not null" for field in fields)
    names = ", ".join(
        f"if(len(list_filter(placed.{name}, lambda item: item.{field} is not null)) > 0,"
        f" '{field}', null)"
        for field in fields
    )
    return f"""
        select source, sitemap, 'values of {name} removed', deprecated, null,
            '{rule}: ' || array_to_string(names, ', ')
        from (
            select source, placed.sitemap, [{names}] as names,
                len(list_filter(placed.{name}, lambda item: {some})) as deprecated
            from placed join kept on kept.url = target
            where len(placed.{name}) > 0 and placed.{name} = kept.{name}
        )
        where deprecated > 0
    """


_OMITTED: Final = """
    select source, sitemap, 'values of videos removed', count(*), null,
        'video-value-invalid: ' || string_agg(distinct split_part(omitted, ' ', 2), ', '
            order by split_part(omitted, ' ', 2))
    from (select source, sitemap, unnest(video_values) as omitted from placed where len(videos) > 0)
    group by source, sitemap
"""
"""Invalid values of videos that are kept without them."""


def _elements(column: str, name: str) -> str:
    """Return the statement for elements that the schema does not allow."""
    return f"""
        select source, sitemap, '{name} removed', len({column}), null,
            'sitemap-element-invalid: ' || array_to_string({column}, ', ')
        from placed where len({column}) > 0
    """


# An xhtml:link without rel or hreflang is not a language alternate.
_NO_ALTERNATES: Final = """
    select url, sitemap, 'alternates removed', count(*), null,
        if(link.media is null, 'hreflang-link-invalid', 'link for other devices')
    from (select source as url, sitemap, unnest(no_alternates) as link from placed)
    group by all
"""

_ALTERNATES: Final = """
    select alternates.url, alternates.sitemap, 'alternates removed', count(*), null, case
            when alternates.code_error is not null then 'hreflang-code-invalid'
            when alternates.target is null then 'hreflang-link-invalid'
            when own.rule is not null then own.rule
            when other.rule is not null then other.rule
            when linked.url is null then 'the target is not listed'
            when linked.target is null then 'the target was dropped'
            when links.code is not null then 'hreflang-duplicate-code'
            else 'no return link, or no link to the page itself'
        end
    from alternates
    join placed on placed.source = alternates.url
        and placed.sitemap = alternates.sitemap and placed.position = alternates.position
    left join destinations as linked on linked.url = alternates.target
    left join links on links.url = placed.target and links.code = alternates.code
    left join conflicting as own on own.url = placed.target
    left join conflicting as other on other.url = linked.target
    where alternates.source = 'sitemap' and (linked.target = links.alternate) is not true
    group by all
"""

_IMAGE_FIELDS: Final = ("title", "caption", "geo_location", "license")
_VIDEO_FIELDS: Final = ("category", "gallery_loc", "tvshow", "price")
_NEWS_FIELDS: Final = ("access", "genres", "keywords", "stock_tickers")

_ADDED: Final = """
    select url, sitemap, 'added', 1, null,
        'linked by ' || count_noun(inlinks, 'page')
    from added
"""

_STATEMENTS: Final = (
    _URLS,
    _NO_URLS,
    _MERGED,
    _FILES,
    _LASTMODS,
    _value("changefreq"),
    _value("priority"),
    _invalid("images", "invalid_images", "image_rule"),
    _invalid("images", "(was_images - invalid_images - len(images))", "'image-too-many'"),
    _invalid("videos", "(was_videos - len(videos))", "video_rule"),
    _invalid("news", "(was_news - len(news))", "news_rule"),
    *map(_others, ("images", "videos", "news")),
    _OMITTED,
    _values("images", _IMAGE_FIELDS, "extension-deprecated"),
    _values("videos", _VIDEO_FIELDS, "extension-deprecated"),
    _values("news", _NEWS_FIELDS, "no longer supported"),
    _elements("unknown_elements", "elements"),
    _elements("repeated_elements", "repeated elements"),
    _NO_ALTERNATES,
    _ALTERNATES,
)


def list_additions(connection: duckdb.DuckDBPyConnection) -> None:
    """Insert the added unlisted pages into the table ``changes``."""
    connection.execute(f"insert into changes {_ADDED}")


def list_changes(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table ``changes``."""
    types = ", ".join(f'"{column.name}" {column.type}' for column in columns(RepairChange))
    connection.execute(f"create table changes ({types})")
    for statement in _STATEMENTS:
        connection.execute(f"insert into changes {statement}")
