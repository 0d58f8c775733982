"""The ``media`` table: each image and video that was checked, and where its redirects lead."""

from __future__ import annotations

from typing import Final

import duckdb

from sitemapaudit.datasets.media_listing import (
    DISTINCT_LOCS,
    LISTED_MEDIA,
    MEDIA_LOCS,
    normalize_locs,
)
from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Error, MediaFile, MediaKind
from sitemapaudit.items.schema import columns
from sitemapaudit.verdicts import GONE

NAMES: Final = {
    MediaKind.IMAGE: "image",
    MediaKind.THUMBNAIL: "thumbnail",
    MediaKind.CONTENT: "video",
    MediaKind.PLAYER: "player",
}
"""What messages call each kind."""

_PLACES: Final = f"""
    create table media_places as
    from ({LISTED_MEDIA}) where (select media from run)
"""
"""Each place where an entry lists an image or a video; none if they were not checked."""

_KINDS: Final = """
    create table media_kinds as
    select url, list_sort(list(distinct kind)) as kinds
    from media_places join media_locs using (loc)
    group by url
"""

_FROM_PAGES: Final = {"kinds": "[]", "method": "'GET'"}
"""The values of an image or a video that was fetched as a page, if its page has no such column."""

_OWN: Final = ", ".join(
    f"{_FROM_PAGES[column.name]} as {column.name}" if column.name in _FROM_PAGES else column.name
    for column in columns(MediaFile)
)

_ANSWERS: Final = f"""
    create table media_answers as
    from media_log qualify row_number() over (
        partition by url order by (status is not null) desc, fetched_at
    ) = 1
    union all by name
    select {_OWN} from pages
    where (select media from run) and url not in (select url from media_log)
        and (
            url in (select url from media_kinds)
            or url in (select target from media_log union all select target from pages)
        )
"""
"""The response of each URL that an image, a video or its redirects can have."""

_MEDIA: Final = """
    create table media as
    select answers.* replace (coalesce(media_kinds.kinds, []) as kinds)
    from media_answers as answers left join media_kinds using (url)
    where media_kinds.url is not null or answers.url in (select url from media_log)
"""

_ENDS: Final = f"""
    create table media_ends as
    with recursive hop as (
        select url as start, url as here, 0 as hops from media_kinds
        union all
        select start, answers.target, hops + 1
        from hop join media_answers as answers on answers.url = hop.here
        where answers.target is not null and hops < {MAX_HOPS}
    )
    select start as url, hops, here as final_url, target is not null as endless, status, error,
        error_detail, allowed, challenge, content_type
    from (from hop qualify row_number() over (partition by start order by hops desc) = 1) as last
    join media_answers as answers on answers.url = last.here
"""
"""The last known response of each listed image and video."""

_UNREACHABLE: Final = ", ".join(
    f"'{error}'" for error in (Error.DNS, Error.REFUSED, Error.TLS, Error.REDIRECT_INVALID)
)
"""Errors that every client has. A timeout or a reset can be meant for this program."""

_GONE: Final = ", ".join(map(str, GONE))

_FAILURE: Final = f"""
    case
        when challenge is not null then null
        when endless then 'redirects in a loop, or more than {MAX_HOPS} times'
        when status in ({_GONE}) or status >= 500
            then response_phrase(hops, final_url) || ' ' || status
        when error in ({_UNREACHABLE}) then
            if(hops = 0, '', 'redirects to ' || final_url || ', which ')
                || case error when '{Error.REDIRECT_INVALID}' then 'redirects to no valid URL'
                    else 'cannot be fetched: ' || error_detail end
    end
"""
"""SQL: why nobody can fetch an image or a video; null if somebody can, or if it is unknown."""

_NAMES: Final = " ".join(f"when '{kind}' then '{name}'" for kind, name in NAMES.items())

_LISTED: Final = f"""
    create table listed_media as
    select distinct media_places.page as url, sitemap, position, kind, case kind {_NAMES} end
        as name, ends.url as media, status, allowed, error_detail, content_type,
        {_FAILURE} as failure
    from media_places
    join media_locs using (loc)
    join media_ends as ends on ends.url = media_locs.url
"""
"""Each image and video of an entry, with the last known response."""

MEDIA_PLACES: Final = (_PLACES, DISTINCT_LOCS, MEDIA_LOCS)
MEDIA_TABLES: Final = (_KINDS, _ANSWERS, _MEDIA, _ENDS, _LISTED)
"""The statements that create the tables, before and after the addresses are normalized."""


def create_media(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of images and videos from those of a run that checked these."""
    for statement in MEDIA_PLACES:
        connection.execute(statement)
    normalize_locs(connection)
    for statement in MEDIA_TABLES:
        connection.execute(statement)
