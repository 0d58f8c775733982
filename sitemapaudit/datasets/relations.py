"""What rules ask for that no table holds as such: scope, cross-submission, alternates.

Views, so that nothing is computed that no rule asks for. But the alternates, which many
ask for and which lie deep in their tables, are gathered once.
"""

from __future__ import annotations

from typing import Final

import duckdb

_FILES: Final = """
    create view files as
    select *, origin_of(address) as origin, directory_of(address) as directory
    from (select *, coalesce(final_url, sitemap) as address from sitemaps)
"""
"""The sitemaps with the address that answered: scope follows it (sitemaps.org, "Location")."""

_DECLARED: Final = """
    create view declared as
    select distinct site as origin, line.url as sitemap
    from robots, unnest(sitemaps) as lines(line)
    where line.url is not null
"""
"""Which origin's robots.txt has a Sitemap line for which address."""

_VOUCHED: Final = """
    create view vouched as
    with recursive covered as (
        select origin, sitemap from declared
        union
        select declared.origin, files.sitemap
        from declared join files on files.address = declared.sitemap
        union
        select covered.origin, entries.url
        from covered join entries on entries.sitemap = covered.sitemap
        where entries.kind = 'sitemapindex' and entries.url is not null
    )
    from covered
"""
"""Which origin's robots.txt declares which sitemap, by itself or an index above it.

Such a sitemap may list URLs of that origin (sitemaps.org, "Sitemaps & Cross-Submits").
"""

_UNKNOWN: Final = """
    create view partly_known as
    with doubtful as (
        select sitemap from sitemaps
        where error is not null or fault is not null or cut or gzip_fault is not null
            or (status not between 200 and 299 and status not in (404, 410))
    )
    select origin_of(sitemap) as origin from doubtful
    union
    select origin from vouched semi join doubtful using (sitemap)
    union
    select origin_of(url) from urls where not (select searched from run)
"""
"""Origins of which it is not known what all their sitemaps list."""

_READ_HOSTS: Final = """
    create view read_hosts as
    select site as origin from robots where permission in ('rules', 'all')
"""
"""Origins of which it is known whether their robots.txt declares a sitemap."""

_FOREIGN: Final = """
    create view foreign_entries as
    select entries.*, files.origin as home, origin_of(entries.url) as origin
    from entries join files using (sitemap)
    where url is not null and not starts_with(url, files.origin || '/')
"""
"""Entries that name another origin than that of the file that lists them."""

LANGUAGE_ALTERNATES: Final = """
    select url, alternate.source, alternate.hreflang,
        lower(stripped(alternate.hreflang)) as code, alternate.href, alternate.url as target,
        alternate.fault, sitemap, position
    from (
        select url, unnest(alternates) as alternate, sitemap, position
        from entries
        where kind <> 'sitemapindex' and url is not null
        union all
        select url, unnest(alternates), null, null
        from pages
        where status between 200 and 299 and challenge is null and error is null
    )
    where list_contains(regexp_split_to_array(lower(alternate.rel), '\\s+'), 'alternate')
        and stripped(alternate.hreflang) <> ''
"""
"""The language alternates of every URL, from sitemaps, tags and headers alike."""

ALTERNATES: Final = f"create table alternates as {LANGUAGE_ALTERNATES}"
"""The same, gathered: they lie deep in their tables, and many rules ask for them."""


def view_relations(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the relations of the tables that are there."""
    for view in (_FILES, _DECLARED, _VOUCHED, _UNKNOWN, _READ_HOSTS, _FOREIGN, ALTERNATES):
        connection.execute(view)
