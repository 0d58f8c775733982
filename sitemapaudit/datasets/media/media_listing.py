"""The images and videos that entries list.

Entries have addresses as written. The normal form of a URL is not known to SQL, so the distinct
addresses are normalized here, in batches.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit import urls
from sitemapaudit.datasets.build import Build
from sitemapaudit.datasets.samples.sampling import SampleChoice, create_sample, open_ledger
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

MEDIA_PLACES: Final = f"""
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
"""SQL: each place where an entry lists an image or a video.

What was recovered after an XML error can be damaged.
"""

MEDIA_WRITTEN: Final = """
    select row_number() over () as number, loc from (select distinct loc from media_places)
"""
"""SQL: the addresses in ``media_places``, with numbers by which they are read in batches."""

MEDIA_LOCS: Final = "(loc varchar, url varchar)"
"""SQL: the normal form of each address."""

_INSERT: Final = """
    insert into media_locs
    from (select unnest($1::varchar[]) as loc, unnest($2::varchar[]) as url) where url is not null
"""
_BATCH: Final = 10_000
_URLS: Final = 1_000
"""URLs that are held in memory at a time."""


def normalize_locs(build: Build) -> None:
    """Fill ``media_locs`` from ``media_written``; invalid addresses are skipped."""
    _normalize(build.connection)


def media_urls(run: Path, memory: int, choice: SampleChoice | None) -> Iterator[list[str]]:
    """Yield the URLs of all images and videos that the ledger of a run lists, in batches.

    With a ``choice`` of pages, only those of the entries in the sample. ``memory`` is in megabytes.
    """
    with open_ledger(run, memory, "media") as connection:
        places = MEDIA_PLACES
        if choice is not None:
            create_sample(connection, choice)
            places += " and page in (select url from sample)"
        connection.execute(f"create table media_places as {places}")
        connection.execute(f"create table media_written as {MEDIA_WRITTEN}")
        connection.execute(f"create table media_locs {MEDIA_LOCS}")
        _normalize(connection)
        found = connection.execute("select distinct url from media_locs order by url")
        while rows := found.fetchmany(_URLS):
            yield [url for (url,) in rows]


def _normalize(connection: duckdb.DuckDBPyConnection) -> None:
    begin = 0
    query = "select loc from media_written where number > ? and number <= ?"
    while rows := connection.execute(query, [begin, begin + _BATCH]).fetchall():
        begin += _BATCH
        locs = [loc for (loc,) in rows]
        connection.execute(_INSERT, [locs, [urls.normalize(loc) for loc in locs]])
