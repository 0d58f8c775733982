"""Counts the listed URLs and the bad entries of each sitemap file."""

from collections.abc import Iterable
from typing import Any, Final

import duckdb
from msgspec import Struct
from msgspec.structs import asdict

from sitemapaudit.items import Kind
from sitemapaudit.report.embedding import ADDRESS, shorten, within

MAX_FILES: Final = 1_000
"""Limit for files in the report, those with the most bad entries first."""

BUDGET: Final = 1_000_000
"""Limit for their part of the report, in bytes."""

_LISTINGS: Final = """
    create table listings as
    select sitemap, count(*) as urls, count(*) filter (selected) as selected,
        count(*) filter (indexable) as good, count(*) filter (not indexable) as bad
    from (
        select unnest(sitemaps) as sitemap, indexable,
            indexable is not null or skip_reason is null as selected
        from urls
    )
    group by sitemap
"""

_NO_URL: Final = f"""
    create table no_url as
    select sitemap, count(*) as entries from entries
    where url is null and kind <> '{Kind.SITEMAPINDEX}' group by sitemap
"""

_FINDINGS: Final = """
    create table findings_in as
    select sitemap, count(*) as findings
    from (from findings where occurrences = 1 union all by name from occurrences)
    where sitemap is not null group by sitemap
"""

_FILES: Final = f"""
    select sitemap, parent, kind, status, coalesce(error, gzip_error, xml_error) as error,
        sitemaps.entries, coalesce(urls, 0) as urls, coalesce(selected, 0) as selected,
        coalesce(good, 0) as good,
        coalesce(bad, 0) + coalesce(no_url.entries, 0) as bad,
        coalesce(findings, 0) as findings
    from sitemaps
    left join listings using (sitemap)
    left join no_url using (sitemap)
    left join findings_in using (sitemap)
    order by bad desc, error is not null desc, urls desc, sitemap
    limit {MAX_FILES}
"""


class File(Struct, frozen=True):
    """A sitemap file and its counts.

    ``selected`` counts the URLs that were not skipped by choice, ``bad`` those that are not
    indexable and entries without a usable loc.
    """

    sitemap: str
    parent: str | None
    kind: str
    status: int | None
    error: str | None
    entries: int
    urls: int
    selected: int
    good: int
    bad: int
    findings: int

    @property
    def share(self) -> float | None:
        """The share of bad entries among those with a known state."""
        known = self.good + self.bad
        return self.bad / known if known else None


class Files(Struct, frozen=True):
    """The worst files, and the number of all files."""

    worst: tuple[File, ...]
    count: int

    def rows(self) -> list[dict[str, Any]]:
        """Return the files as rows of the report, up to the budget."""
        return within((asdict(file) | {"share": file.share} for file in self.worst), BUDGET)


def read_files(connection: duckdb.DuckDBPyConnection) -> Files:
    """Return the sitemap files, those with the most bad entries first."""
    for statement in (_LISTINGS, _NO_URL, _FINDINGS):
        connection.execute(statement)
    rows = connection.execute(_FILES).fetchall()
    count = connection.execute("select count(*) from sitemaps").fetchone()
    return Files(tuple(_file(row) for row in rows), count[0] if count else 0)


def _file(row: Iterable[Any]) -> File:
    sitemap, parent, kind, status, error, *counts = row
    return File(
        shorten(sitemap, ADDRESS),
        parent and shorten(parent, ADDRESS),
        kind,
        status,
        error and shorten(error),
        *counts,
    )
