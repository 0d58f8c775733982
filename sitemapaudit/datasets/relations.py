"""Relations that query rules use besides the tables: scope, cross-submission, alternates.

They are tables: several rules use each of them, and a view would be planned again for each rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import duckdb

from sitemapaudit.datasets.links.coverage import LINK_COVERAGE
from sitemapaudit.datasets.links.gaps import LINK_GAPS
from sitemapaudit.datasets.links.orphans import ORPHANS
from sitemapaudit.datasets.links.unlisted_pages import UNLISTED_PAGES

_SITEMAP_FILES: Final = """
    create table sitemap_files as
    select *, origin_of(address) as origin, directory_of(address) as directory
    from (select *, coalesce(final_url, sitemap) as address from sitemaps)
"""
"""The sitemaps with the URL that responded: it defines their scope (sitemaps.org, "Location")."""

_DECLARED_SITEMAPS: Final = """
    create table declared_sitemaps as
    select distinct site as origin, line.url as sitemap
    from robots, unnest(sitemaps) as lines(line)
    where line.url is not null
"""
"""Which origin's robots.txt declares which sitemap."""

_AUTHORIZED_SITEMAPS: Final = """
    create table authorized_sitemaps as
    with recursive covered as (
        select origin, sitemap from declared_sitemaps
        union
        select declared_sitemaps.origin, sitemap_files.sitemap
        from declared_sitemaps
        join sitemap_files on sitemap_files.address = declared_sitemaps.sitemap
        union
        select covered.origin, entries.url
        from covered join entries on entries.sitemap = covered.sitemap
        where entries.kind = 'sitemapindex' and entries.url is not null
    )
    from covered
"""
"""Which origin's robots.txt declares which sitemap, directly or through an index.

Such a sitemap may list URLs of that origin (sitemaps.org, "Sitemaps & Cross-Submits").
"""

_INCOMPLETE_ORIGINS: Final = """
    create table incomplete_origins as
    with doubtful as (
        select sitemap from sitemaps
        where error is not null or xml_error is not null or truncated or gzip_error is not null
            or (status not between 200 and 299 and status not in (404, 410))
    )
    select origin_of(sitemap) as origin from doubtful
    union
    select origin from authorized_sitemaps semi join doubtful using (sitemap)
    union
    select origin_of(url) from urls where not (select searched from run)
"""
"""Origins whose sitemaps could not all be read."""

_ORIGINS_WITH_ROBOTS: Final = """
    create table origins_with_robots as
    select site as origin from robots where permission in ('rules', 'all')
"""
"""Origins whose robots.txt was read: it is known whether they declare a sitemap."""

_CROSS_ORIGIN_ENTRIES: Final = """
    create table cross_origin_entries as
    select url, sitemap, position, entries.kind, loc,
        sitemap_files.origin as sitemap_origin, origin_of(entries.url) as origin
    from entries join sitemap_files using (sitemap)
    where url is not null and not starts_with(url, sitemap_files.origin || '/')
"""
"""Entries whose URL has another origin than the sitemap that lists it."""

LANGUAGE_ALTERNATES: Final = """
    select url, alternate.source, alternate.hreflang,
        lower(trimmed(alternate.hreflang)) as code, alternate.href, alternate.url as target,
        alternate.code_error, sitemap, position
    from (
        select url, unnest(alternates) as alternate, sitemap, position
        from entries
        where kind <> 'sitemapindex' and url is not null
        union all
        select url, unnest(alternates), null, null
        from pages
        where status between 200 and 299 and challenge is null and error is null
    )
    where is_language_alternate(alternate)
"""
"""The language alternates of every URL, from sitemaps, tags and headers."""

ALTERNATES: Final = f"create table alternates as {LANGUAGE_ALTERNATES}"

_ALWAYS: Final = (
    _SITEMAP_FILES,
    _DECLARED_SITEMAPS,
    _AUTHORIZED_SITEMAPS,
    _INCOMPLETE_ORIGINS,
    _ORIGINS_WITH_ROBOTS,
    _CROSS_ORIGIN_ENTRIES,
    ALTERNATES,
)

LINK_RELATIONS: Final = (LINK_GAPS, LINK_COVERAGE, ORPHANS, UNLISTED_PAGES)
"""What there is to say of links, if they were recorded."""

RELATIONS: Final = (*_ALWAYS, *LINK_RELATIONS)
"""The statements that create the relations; each uses only tables and earlier relations."""

_CREATED: Final = re.compile(r"create table (\w+)")
_WORD: Final = re.compile(r"\w+")


def create_relations(connection: duckdb.DuckDBPyConnection, queries: Iterable[str]) -> None:
    """Create the relations that queries use; those about links if these were recorded."""
    recorded = connection.execute("from run where links").fetchone() is not None
    statements = list(LINK_RELATIONS) if recorded else []
    used = set(_WORD.findall(" ".join((*queries, *statements))))
    for statement in reversed(_ALWAYS):
        if _CREATED.findall(statement)[0] in used:
            statements.insert(0, statement)
            used.update(_WORD.findall(statement))
    for statement in statements:
        connection.execute(statement)
