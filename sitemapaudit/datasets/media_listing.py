"""Which images and videos entries list.

Entries have addresses as written. The normal form of a URL is not known to SQL, so the distinct
addresses are normalized here, in batches.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit import urls
from sitemapaudit.datasets.database import SCRATCH, connect, create_ledger_views
from sitemapaudit.datasets.sampling import SampleChoice, create_sample
from sitemapaudit.items import Kind, MediaKind, SkipReason

_VIDEO_LOCS: Final = {
    MediaKind.THUMBNAIL: "thumbnail_loc",
    MediaKind.CONTENT: "content_loc",
    MediaKind.PLAYER: "player_loc",
}

_LOCS: Final = ", ".join(
    f"{{'kind': '{kind}', 'loc': video.{field}}}" for kind, field in _VIDEO_LOCS.items()
)

_UNLISTED: Final = ", ".join(
    f"'{reason}'"
    for reason in (
        SkipReason.INCLUDE, SkipReason.EXCLUDE, SkipReason.SINCE, SkipReason.LIMIT,
        SkipReason.HOSTS,
    )
)  # fmt: skip
"""Skip reasons of entries whose images and videos are skipped too."""

LISTED_MEDIA: Final = f"""
    select sitemap, position, page, file.kind as kind, trimmed(file.loc) as loc
    from (
        select sitemap, position, url as page, unnest(
            list_transform(images, lambda image: {{'kind': '{MediaKind.IMAGE}', 'loc': image.loc}})
            || flatten(list_transform(videos, lambda video: [{_LOCS}]))
        ) as file
        from entries
        where (len(images) > 0 or len(videos) > 0) and not recovered
            and kind <> '{Kind.SITEMAPINDEX}'
            and (skip_reason is null or skip_reason not in ({_UNLISTED}))
    )
    where trimmed(file.loc) <> ''
"""
"""SQL: each image and video of an entry. What was recovered after an XML error can be damaged."""

DISTINCT_LOCS: Final = """
    create table media_written as
    select row_number() over () as number, loc from (select distinct loc from media_places)
"""
"""SQL: the addresses in ``media_places``, with numbers by which they are read in batches."""

MEDIA_LOCS: Final = "create table media_locs (loc varchar, url varchar)"
"""SQL: the normal form of each address."""

_INSERT: Final = """
    insert into media_locs
    from (select unnest($1::varchar[]) as loc, unnest($2::varchar[]) as url) where url is not null
"""
_BATCH: Final = 10_000
_URLS: Final = 1_000
"""URLs that are held in memory at a time."""


def normalize_locs(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill ``media_locs`` from ``media_written``; invalid addresses are left out."""
    begin = 0
    query = "select loc from media_written where number > ? and number <= ?"
    while rows := connection.execute(query, [begin, begin + _BATCH]).fetchall():
        begin += _BATCH
        locs = [loc for (loc,) in rows]
        connection.execute(_INSERT, [locs, [urls.normalize(loc) for loc in locs]])


def media_urls(run: Path, memory: int, choice: SampleChoice | None) -> Iterator[list[str]]:
    """Yield the URLs of all images and videos that the ledger of a run lists, in batches.

    With a ``choice`` of pages, only those of the entries in the sample. ``memory`` is in megabytes.
    """
    scratch = run / SCRATCH / "media"
    try:
        with connect(scratch, memory) as connection:
            create_ledger_views(connection, [run], ["entries", "pages"], scratch)
            connection.execute("create view entries as from entries_log")
            places = f"create table media_places as {LISTED_MEDIA}"
            if choice is None:
                connection.execute(places)
            else:
                create_sample(connection, choice)
                connection.execute(f"{places} and page in (select url from sample)")
            for statement in (DISTINCT_LOCS, MEDIA_LOCS):
                connection.execute(statement)
            normalize_locs(connection)
            found = connection.execute("select distinct url from media_locs order by url")
            while rows := found.fetchmany(_URLS):
                yield [url for (url,) in rows]
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
