"""The ``media`` table: each image and video that was checked, and where its redirects lead."""

from typing import Final

from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Error, MediaFile, MediaKind
from sitemapaudit.items.schema import columns
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.verdicts import GONE

NAMES: Final = {
    MediaKind.IMAGE: "image",
    MediaKind.THUMBNAIL: "thumbnail",
    MediaKind.CONTENT: "video",
    MediaKind.PLAYER: "player",
}
"""The name of each kind in messages."""

MEDIA_KINDS: Final = """
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

MEDIA_ANSWERS: Final = f"""
    from media_log qualify row_number() over (
        partition by url order by (status is not null) desc, fetched_at desc
    ) = 1
    union all by name
    select {_OWN} from pages
    where url not in (select url from media_log)
        and (
            url in (select url from media_kinds)
            or url in (select target from media_log union all select target from pages)
        )
"""
"""The response of each URL that an image, a video or its redirects can have."""

MEDIA: Final = """
    select answers.* replace (coalesce(media_kinds.kinds, []) as kinds)
    from media_answers as answers left join media_kinds using (url)
    where media_kinds.url is not null or answers.url in (select url from media_log)
"""

MEDIA_ENDS: Final = f"""
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
        when status in ({_GONE}) or status between 500 and 599
            then response_phrase(hops, final_url) || ' ' || status
        when error in ({_UNREACHABLE}) then
            if(hops = 0, '', 'redirects to ' || final_url || ', which ')
                || case error when '{Error.REDIRECT_INVALID}' then 'redirects to no valid URL'
                    else 'cannot be fetched: ' || error_detail end
    end
"""
"""SQL: why an image or a video cannot be fetched; null if it can be, or if it is unknown."""

_NAMES: Final = " ".join(f"when '{kind}' then '{name}'" for kind, name in NAMES.items())

LISTED_MEDIA: Final = f"""
    select distinct media_places.page as url, sitemap, position, kind, case kind {_NAMES} end
        as name, ends.url as media, status, allowed, error_detail, content_type,
        {_FAILURE} as failure
    from media_places
    join media_locs using (loc)
    join media_ends as ends on ends.url = media_locs.url
"""
"""Each image and video of an entry, with the last known response."""


def checks_media(manifest: Manifest) -> bool:
    """Return whether a run checked images and videos."""
    return manifest.arguments.get("media") == "check"
