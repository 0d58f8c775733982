"""The sitemap files: what each lists, how much of it is bad, and under which index it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

import duckdb

from sitemapaudit.items import Kind
from sitemapaudit.report.embedding import ADDRESS, cut, within

SHOWN: Final = 1_000
"""Files that are shown, those with most bad entries first."""

BUDGET: Final = 1_000_000
"""Bytes of the page that they may take."""

_LISTINGS: Final = """
    create table listings as
    select sitemap, count(*) as urls, count(*) filter (asked) as asked,
        count(*) filter (indexable) as good, count(*) filter (not indexable) as bad
    from (
        select unnest(sitemaps) as sitemap, indexable,
            indexable is not null or left_out is null as asked
        from urls
    )
    group by sitemap
"""

_NO_ADDRESS: Final = f"""
    create table no_address as
    select sitemap, count(*) as entries from entries
    where url is null and kind <> '{Kind.SITEMAPINDEX}' group by sitemap
"""

_FOUND: Final = """
    create table found_in as
    select sitemap, count(*) as findings from findings
    where sitemap is not null group by sitemap
"""

_FILES: Final = f"""
    select sitemap, parent, kind, status, coalesce(error, gzip_fault, fault) as fault,
        sitemaps.entries, coalesce(urls, 0) as urls, coalesce(asked, 0) as asked,
        coalesce(good, 0) as good,
        coalesce(bad, 0) + coalesce(no_address.entries, 0) as bad,
        coalesce(findings, 0) as findings
    from sitemaps
    left join listings using (sitemap)
    left join no_address using (sitemap)
    left join found_in using (sitemap)
    order by bad desc, fault is not null desc, urls desc, sitemap
    limit {SHOWN}
"""


@dataclass(slots=True, frozen=True)
class File:
    """A sitemap, with the URLs that it lists, and how many of these were to be looked at.

    ``bad`` counts URLs that are not indexable, and entries without a usable loc.
    """

    sitemap: str
    parent: str | None
    kind: str
    status: int | None
    fault: str | None
    entries: int
    urls: int
    asked: int
    good: int
    bad: int
    findings: int

    @property
    def share(self) -> float | None:
        """The share of the bad among those of which it is known."""
        known = self.good + self.bad
        return self.bad / known if known else None


@dataclass(slots=True, frozen=True)
class Files:
    """The files that are shown, of how many."""

    shown: tuple[File, ...]
    number: int

    def rows(self) -> list[dict[str, Any]]:
        """Return the files as the page holds them, in its budget."""
        return within((asdict(file) | {"share": file.share} for file in self.shown), BUDGET)


def files(connection: duckdb.DuckDBPyConnection) -> Files:
    """Return the sitemaps, the most rotten first."""
    for statement in (_LISTINGS, _NO_ADDRESS, _FOUND):
        connection.execute(statement)
    rows = connection.execute(_FILES).fetchall()
    number = connection.execute("select count(*) from sitemaps").fetchone()
    return Files(tuple(_file(row) for row in rows), number[0] if number else 0)


def _file(row: Iterable[Any]) -> File:
    sitemap, parent, kind, status, fault, *numbers = row
    return File(
        cut(sitemap, ADDRESS),
        parent and cut(parent, ADDRESS),
        kind,
        status,
        fault and cut(fault),
        *numbers,
    )
