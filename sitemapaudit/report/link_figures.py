"""Counts for the section on links: reachable pages by sitemap and section, and distances."""

from collections.abc import Sequence
from typing import Final

import duckdb
from msgspec import Struct

from sitemapaudit.datasets.links.results import REACHED
from sitemapaudit.items import OrphanKind
from sitemapaudit.report.embedding import ADDRESS, shorten
from sitemapaudit.report.figures import Count
from sitemapaudit.runs.link_counts import LinkCounts

MAX_GROUPS: Final = 15
"""Limit for sitemaps, and for sections, with the most orphans."""

MAX_ORPHANS: Final = 10
MAX_UNLISTED: Final = 10
MAX_CLICKS: Final = 10
"""The distance from which on pages are counted together."""

NO_WAY: Final = "none"
"""The name of the count of pages that cannot be reached from a home page."""

_FOUND: Final = f"""
    create table found_pages as
    select url, sitemaps, section_of(url) as section, clicks, {REACHED} as reached,
        coalesce(certain, false) as orphan
    from urls left join orphans using (url)
    where urls.indexable
"""

_GROUPS: Final = """
    with members as ({source}), counted as (
        select name, count(*) filter (not unlisted) as pages, count(*) filter (reached) as reached,
            count(*) filter (orphan) as orphans, count(*) filter (unlisted) as unlisted
        from members group by name
    )
    select name, pages, reached, orphans, unlisted, count(*) over () as groups from counted
    order by orphans desc, pages - reached desc, unlisted desc, pages desc, name
    limit $limit
"""

_BY_SITEMAP: Final = """
    select unnest(sitemaps) as name, reached, orphan, false as unlisted from found_pages
"""

_BY_SECTION: Final = """
    select section as name, reached, orphan, false as unlisted from found_pages
    union all
    select section, false, false, true from unlisted_pages where certain
"""

_CLICKS: Final = """
    select if(clicks > $most, $most, clicks) as clicks, count(*) from found_pages
    group by 1
"""

_ORPHANS: Final = f"""
    select url, kind, suggestions from orphans
    order by certain desc, len(suggestions) = 0, url limit {MAX_ORPHANS}
"""

_UNLISTED: Final = f"""
    select url, inlinks, clicks from unlisted_pages where certain
    order by inlinks desc, url limit {MAX_UNLISTED}
"""

_KINDS: Final = {
    OrphanKind.NO_INLINKS: "no link",
    OrphanKind.UNREACHABLE: "linked by orphans only",
}


class Group(Struct, frozen=True):
    """The listed, indexable pages of a sitemap or a section; ``unlisted`` counts others."""

    name: str
    pages: int
    reached: int
    orphans: int
    unlisted: int

    @property
    def undetermined(self) -> int:
        """The number of pages that may or may not be reachable."""
        return self.pages - self.reached - self.orphans


class Groups(Struct, frozen=True):
    """The groups with the most orphans, and the number of all."""

    shown: tuple[Group, ...]
    count: int


class LostPage(Struct, frozen=True):
    """An orphan or possible orphan, and pages that could link to it."""

    url: str
    kind: str
    suggestions: tuple[str, ...]


class UnlistedLine(Struct, frozen=True):
    """A page that no sitemap lists, the pages that link to it, and its clicks."""

    url: str
    inlinks: int
    clicks: int | None


class LinkFigures(Struct, frozen=True):
    """The figures of a run that recorded links."""

    counts: LinkCounts
    clicks: tuple[Count, ...]
    sitemaps: Groups
    sections: Groups
    orphans: tuple[LostPage, ...]
    unlisted: tuple[UnlistedLine, ...]


def count_link_figures(
    connection: duckdb.DuckDBPyConnection, counts: LinkCounts | None
) -> LinkFigures | None:
    """Count the figures of a run that recorded links; None if it did not."""
    if counts is None:
        return None
    connection.execute(_FOUND)
    return LinkFigures(
        counts,
        _count_clicks(connection),
        _groups(connection, _BY_SITEMAP),
        _groups(connection, _BY_SECTION),
        tuple(_lost_page(*row) for row in connection.execute(_ORPHANS).fetchall()),
        tuple(
            UnlistedLine(shorten(url, ADDRESS), *rest)
            for url, *rest in connection.execute(_UNLISTED).fetchall()
        ),
    )


def _count_clicks(connection: duckdb.DuckDBPyConnection) -> tuple[Count, ...]:
    """Return the number of pages per distance from a home page; empty if no home page is known."""
    found = dict(connection.execute(_CLICKS, {"most": MAX_CLICKS}).fetchall())
    deepest = max((clicks for clicks in found if clicks is not None), default=None)
    if deepest is None:
        return ()
    names = [f"{clicks}+" if clicks == MAX_CLICKS else str(clicks) for clicks in range(deepest + 1)]
    counts = [Count(name, found.get(clicks, 0)) for clicks, name in enumerate(names)]
    return (*counts, Count(NO_WAY, found[None])) if None in found else tuple(counts)


def _groups(connection: duckdb.DuckDBPyConnection, source: str) -> Groups:
    rows = connection.execute(_GROUPS.format(source=source), {"limit": MAX_GROUPS}).fetchall()
    shown = tuple(Group(shorten(name, ADDRESS), *counts) for name, *counts, _ in rows)
    return Groups(shown, rows[0][-1] if rows else 0)


def _lost_page(url: str, kind: str, suggestions: Sequence[str]) -> LostPage:
    return LostPage(
        shorten(url, ADDRESS),
        _KINDS[OrphanKind(kind)],
        tuple(shorten(each, ADDRESS) for each in suggestions),
    )
