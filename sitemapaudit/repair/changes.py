"""What a repair leaves out, replaces or merges, and why: SQL over what was decided and filled.

Every statement compares what stood in the entries with what stands in their place. A row is
about an entry and a kind of thing in it, with their number: there are never more than a few to
an entry, however much is in it.
"""

from __future__ import annotations

from typing import Final

import duckdb

from sitemapaudit.items import Kind, Source, Verdict

CHANGES: Final[dict[str, str]] = {
    "url": "the URL as it is listed, or the loc, if that is none",
    "sitemap": "the file that lists it",
    "change": "what became of it: `dropped`, `replaced`, `merged`; or of what its entry says: "
    "`images left out`, `lastmod left out` and so on; of a file: `not read`, `read in part`",
    "number": "how many things the row is about: addresses, images, links …",
    "replacement": "the address that stands in its place",
    "reason": "a rule (`scrapy rules ID`), a verdict, or a few words",
}
"""The columns of the table ``changes``, with their meaning."""

_URLS: Final = f"""
    select decided.url, sitemaps[1] as sitemap,
        if(target is null, 'dropped', 'replaced') as change, 1 as number, target as replacement,
        case
            when unfit is not null and (
                decided.unchecked or decided.verdict = '{Verdict.INDEXABLE}'
            ) then unfit
            when decided.verdict = '{Verdict.REDIRECTED}' and leads_to is null
                then 'redirects, and leads nowhere'
            when decided.verdict = '{Verdict.REDIRECTED}' and target is null
                then 'redirects to what cannot be indexed'
            when decided.verdict = '{Verdict.REDIRECTED}' then 'redirects'
            when decided.verdict = '{Verdict.CANONICALIZED}' and target is null
                then 'names a canonical that cannot be indexed'
            when decided.verdict = '{Verdict.CANONICALIZED}' then 'names another canonical'
            else 'is ' || decided.verdict
        end as reason
    from decided join urls using (url)
    where target is distinct from decided.url
"""

_NO_URLS: Final = f"""
    select coalesce(loc, ''), sitemap, 'dropped', 1, null,
        if(stripped(coalesce(loc, '')) = '', 'has no loc', 'is no address that can be asked for')
    from entries
    where url is null and kind <> '{Kind.SITEMAPINDEX}'
"""

_MERGED: Final = """
    select source, min(sitemap), 'merged', count(*), null, 'is listed ' || count(*) || ' times'
    from placed where source = target
    group by source
    having count(*) > 1
"""

_FILES: Final = f"""
    select '', sitemap, if(entries > 0, 'read in part', 'not read'), 1, null,
        case
            when error is not null then error
            when status not between 200 and 299 then 'answers ' || status
            when gzip_fault is not null then 'sitemap-gzip-invalid'
            when cut then 'sitemap-too-large'
            when not complete then 'the run ended before'
            when fault is not null then 'sitemap-xml-malformed'
            else 'is no sitemap'
        end
    from sitemaps
    where source <> '{Source.WELL_KNOWN}' and (
        error is not null or status not between 200 and 299 or gzip_fault is not null or cut
        or not complete or fault is not null or kind in ('{Kind.HTML}', '{Kind.UNKNOWN}')
    )
"""

# A file whose lastmods are all alike has one row: there is nothing to say of its entries.
_LASTMODS: Final = """
    select if(alike, '', source), placed.sitemap, 'lastmod left out', count(*), null, case
            when alike then 'lastmod-identical'
            when lastmod_at is null then 'lastmod-invalid'
            when source <> target then 'is that of another address'
            when lastmod_at > coalesce(fetched_at, now()) then 'lastmod-future'
            when placed.lastmod is null then 'has no day'
            else 'another entry has a later one'
        end
    from placed join kept on kept.url = target
    where stripped(was_lastmod) <> '' and (placed.lastmod = kept.lastmod) is not true
    group by all
"""


def _value(name: str) -> str:
    """Return the statement about changefreq or priority."""
    return f"""
        select source, placed.sitemap, '{name} left out', 1, null,
            if(placed.{name} is null, '{name}-invalid', 'another entry has one too')
        from placed join kept on kept.url = target
        where stripped(was_{name}) <> '' and (placed.{name} = kept.{name}) is not true
    """


def _invalid(name: str, number: str, rule: str) -> str:
    """Return the statement about images, videos or news that a rule finds fault with."""
    return f"""
        select source, sitemap, '{name} left out', {number}, null, {rule}
        from placed where {number} > 0
    """


def _others(name: str) -> str:
    """Return the statement about images, videos or news that are not the first of their URL."""
    return f"""
        select source, placed.sitemap, '{name} left out', len(placed.{name}), null,
            'another entry has some too'
        from placed join kept on kept.url = target
        where len(placed.{name}) > 0 and placed.{name} <> kept.{name}
    """


def _values(name: str, fields: tuple[str, ...], rule: str) -> str:
    """Return the statement about what is no longer read in images, videos or news."""
    some = " or ".join(f"item.{field} is not null" for field in fields)
    told = ", ".join(fields)
    return f"""
        select source, sitemap, 'values of {name} left out', number, null, '{rule}: {told}'
        from (
            select source, placed.sitemap,
                len(list_filter(placed.{name}, lambda item: {some})) as number
            from placed join kept on kept.url = target
            where len(placed.{name}) > 0 and placed.{name} = kept.{name}
        )
        where number > 0
    """


def _elements(name: str, said: str) -> str:
    """Return the statement about elements that the schema does not allow."""
    return f"""
        select source, sitemap, '{said} left out', len({name}), null,
            'sitemap-element-invalid: ' || array_to_string({name}, ', ')
        from placed where len({name}) > 0
    """


# An xhtml:link without rel, hreflang or both is no language alternate.
_NO_ALTERNATES: Final = """
    select url, sitemap, 'alternates left out', count(*), null,
        if(link.media is null, 'hreflang-link-invalid', 'names a page for other devices')
    from (select source as url, sitemap, unnest(no_alternates) as link from placed)
    group by all
"""

_ALTERNATES: Final = """
    select alternates.url, alternates.sitemap, 'alternates left out', count(*), null, case
            when alternates.fault is not null then 'hreflang-code-invalid'
            when alternates.target is null then 'hreflang-link-invalid'
            when one.rule is not null then one.rule
            when other.rule is not null then other.rule
            when written.url is null then 'names an address that is not listed'
            when written.target is null then 'names an address that is dropped'
            when links.code is not null then 'hreflang-duplicate-code'
            else 'is not returned by all, or does not name the page itself'
        end
    from alternates
    join placed on placed.source = alternates.url
        and placed.sitemap = alternates.sitemap and placed.position = alternates.position
    left join decided as written on written.url = alternates.target
    left join links on links.url = placed.target and links.code = alternates.code
    left join torn as one on one.url = placed.target
    left join torn as other on other.url = written.target
    where alternates.source = 'sitemap' and (written.target = links.alternate) is not true
    group by all
"""

_IMAGE_FIELDS: Final = ("title", "caption", "geo_location", "license")
_VIDEO_FIELDS: Final = ("category", "gallery_loc", "tvshow", "price")
_NEWS_FIELDS: Final = ("access", "genres", "keywords", "stock_tickers")

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
    _values("images", _IMAGE_FIELDS, "extension-deprecated"),
    _values("videos", _VIDEO_FIELDS, "extension-deprecated"),
    _values("news", _NEWS_FIELDS, "are no longer read"),
    _elements("unknown", "elements"),
    _elements("repeated", "repeated elements"),
    _NO_ALTERNATES,
    _ALTERNATES,
)


def list_changes(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table ``changes``."""
    types = ", ".join(f"{name} {'bigint' if name == 'number' else 'varchar'}" for name in CHANGES)
    connection.execute(f"create table changes ({types})")
    for statement in _STATEMENTS:
        connection.execute(f"insert into changes {statement}")
