"""Pages that could link to each orphan: those nearest by path, then by text.

The work is bounded: a folder offers at most ``OFFERED`` pages, and ``MAX_ORPHANS`` orphans get
suggestions.
"""

from typing import Final

from sitemapaudit.items import Verdict
from sitemapaudit.items.schema import ORPHANS
from sitemapaudit.pages.fingerprint import BITS

MAX_ORPHANS: Final = 10_000
"""Orphans with suggestions: the certain ones first, then by URL."""

OFFERED: Final = 30
"""Pages of a folder or section that are compared, those nearest to the home page."""

SUGGESTED: Final = 3
"""Pages that are suggested for an orphan."""

LOST: Final = f"""
    select url, directory_of(url) as folder, section_of(url) as section, fingerprint
    from (from orphans order by certain desc, url limit {MAX_ORPHANS})
    left join pages using (url)
"""

LOST_PLACES: Final = """
    select url, fingerprint, place
    from (
        select url, fingerprint, section, unnest(list_distinct(
            [section, folder, regexp_replace(folder, '[^/]+/$', '')]
        )) as place
        from lost
    )
    where starts_with(place, section)
"""
"""The folders that are searched: the folder of an orphan and the one above, within its section."""

OFFERS: Final = f"""
    with linking as (
        select pages.url, pages.fingerprint, clicks.clicks
        from pages
        join link_nodes using (url)
        join link_sources using (id)
        left join clicks using (id)
        anti join orphans using (url)
        where exists (from lost_places) and pages.verdict = '{Verdict.INDEXABLE}' and (
            clicks.clicks is not null
            or not exists (from urls where linked_only_from_orphans is not null)
        )
    ), placed as (
        select directory_of(url) as place, * from linking
        union
        select section_of(url) as place, * from linking
    )
    from placed
    semi join lost_places using (place)
    qualify row_number() over (partition by place order by clicks nulls last, url) <= {OFFERED}
"""
"""Pages that can be reached and may link to more, by the places that are looked for."""

SUGGESTIONS: Final = f"""
    with pairs as (
        select lost_places.url, offers.url as offer, max(length(place)) as nearness,
            any_value(clicks) as clicks,
            starts_with(lost_places.url, rtrim(offers.url, '/') || '/') as above,
            1 - 2 * bit_count(xor(
                unhex(any_value(lost_places.fingerprint))::bit,
                unhex(any_value(offers.fingerprint))::bit
            )) / {BITS} as similarity
        from lost_places join offers using (place)
        where lost_places.url <> offers.url
        group by lost_places.url, offers.url
    ), ranked as (
        select *, row_number() over (
            partition by url
            order by above desc, nearness desc, similarity desc nulls last, clicks nulls last, offer
        ) as rank
        from pairs
    )
    select url, list(offer order by rank) as suggestions
    from ranked where rank <= {SUGGESTED} group by url
"""

WITH_SUGGESTIONS: Final = f"""
    select url, kind, certain, section_of(url) as section,
        coalesce(suggestions, []) as suggestions
    from {ORPHANS} left join suggestions using (url)
    order by url
"""
