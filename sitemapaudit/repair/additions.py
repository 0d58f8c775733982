"""Adds unlisted pages to the repaired sitemaps: indexable and linked pages that no sitemap lists.

Each is added to the sitemap whose URLs are nearest by path. Nothing is invented: a lastmod is the
date in the page itself, if that is plausible.
"""

from collections.abc import Iterator
from typing import Final

import duckdb

from sitemapaudit.items import Entry, Kind, Severity
from sitemapaudit.items.schema import UNLISTED
from sitemapaudit.rules.entry.loc_session_id import LocSessionId
from sitemapaudit.rules.entry.loc_too_long import LocTooLong

MIN_WORDS: Final = 50
"""The number of words from which on the same text means a copy."""

NEW_SITEMAP: Final = "/unlisted.xml"
"""The sitemap for unlisted pages on an origin whose sitemaps only have news, or are on another
origin.
"""

_BATCH: Final = 10_000

_WANTED: Final = f"""
    create table wanted as
    select url, origin_of(url) as origin, inlinks, content_hash, words, fetched_at,
        date_modified, date_modified_at
    from {UNLISTED}
    join pages using (url)
    anti join kept using (url)
    where {UNLISTED}.certain and origin_of(url) in (
            select origin from kept union select origin_of(url) from urls
        )
        and not exists (
            select refresh from unnest(refreshes) as refreshes(refresh)
            where refresh.url <> pages.url
        )
"""

_COPIES: Final = f"""
    delete from wanted
    where words >= {MIN_WORDS} and content_hash is not null and (
        content_hash in (
            select content_hash from pages semi join kept using (url)
            where content_hash is not null
        )
        or exists (
            from wanted as other
            where other.content_hash = wanted.content_hash and other.url < wanted.url
        )
    )
"""
"""Pages with the text of a listed page or of another one: their canonicals are missing."""

_FOLDERS: Final = """
    create or replace macro folders_of(url) as list_transform(
        range(3, len(string_split(directory_of(url), '/'))),
        lambda many: array_to_string(string_split(directory_of(url), '/')[:many], '/')
    )
"""
"""The folders above a URL, that of its host first."""

_FILLED: Final = """
    create table filled_folders as
    with needed as (
        select unnest(folders_of(url)) as folder from wanted
    ), regular as (
        select origin, sitemap from kept group by all having not bool_or(len(news) > 0)
    )
    select folder, sitemap, count(*) as urls
    from (
        select unnest(folders_of(url)) as folder, sitemap
        from kept semi join regular using (origin, sitemap)
    )
    semi join needed using (folder)
    group by folder, sitemap
"""
"""The number of URLs per sitemap below each folder of an unlisted page, without news sitemaps."""

_PLACES: Final = f"""
    create table added as
    with nearest as (
        select url, arg_max(sitemap, (length(folder), urls, sitemap)) as sitemap
        from (select url, unnest(folders_of(url)) as folder from wanted)
        join filled_folders using (folder)
        group by url
    ), emptied as (
        select origin_of(sitemap) as origin, min(sitemap) as sitemap
        from entries
        where kind = '{Kind.URLSET}' and origin_of(sitemap) not in (select origin from kept)
        group by all
    ), dated as (
        select wanted.*,
            coalesce(nearest.sitemap, emptied.sitemap, origin || '{NEW_SITEMAP}') as sitemap,
            date_modified_at <= coalesce(fetched_at, now())
                and regexp_matches(date_modified, '^\\s*\\d{{4}}-\\d\\d-\\d\\d') as is_possible
        from wanted left join nearest using (url) left join emptied using (origin)
    )
    select url, origin, sitemap, inlinks,
        if(
            is_possible and (
                count(distinct date_modified_at) over of_sitemap > 1 or count(*) over of_sitemap = 1
            ),
            if(
                contains(date_modified, ':'),
                strftime(date_modified_at, '%Y-%m-%dT%H:%M:%SZ'), trimmed(date_modified)
            ), null
        ) as lastmod
    from dated
    window of_sitemap as (partition by sitemap)
"""
"""The pages with their sitemaps; identical dates are those of a deployment."""

_ADD: Final = """
    insert into kept by name
    select origin, url, sitemap, lastmod, null as changefreq, null as priority,
        [] as images, [] as videos, [] as news
    from added
"""


def add_unlisted(connection: duckdb.DuckDBPyConnection) -> None:
    """Add unlisted pages to the table ``kept``; create the table ``added`` with them."""
    connection.execute(_WANTED)
    _drop_unfit(connection)
    for statement in (_COPIES, _FOLDERS, _FILLED, _PLACES, _ADD):
        connection.execute(statement)


def _drop_unfit(connection: duckdb.DuckDBPyConnection) -> None:
    """Delete URLs that no sitemap may list: too long, or with a session ID."""
    found = connection.execute("select url from wanted")
    unfit = list(_unfit(iter(lambda: found.fetchmany(_BATCH), [])))
    connection.execute("delete from wanted where url in (select unnest($unfit))", {"unfit": unfit})


def _unfit(batches: Iterator[list[tuple[str]]]) -> Iterator[str]:
    rules = (LocTooLong(), LocSessionId())
    for batch in batches:
        for (url,) in batch:
            entry = Entry("", 1, Kind.URLSET, url, url)
            severities = {found.severity for rule in rules for found in rule.check(entry)}
            if severities - {Severity.NOTICE}:
                yield url
