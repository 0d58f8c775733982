"""Counts responses, redirects, lastmods and response times for the charts."""

from itertools import pairwise, starmap
from typing import Any, Final

import duckdb
from msgspec import Struct

from sitemapaudit.items import Role, Verdict
from sitemapaudit.report.embedding import ADDRESS, TEXT, shorten

MAX_TARGETS: Final = 20
"""Limit for redirect targets, the most frequent first."""

MAX_SLOWEST: Final = 10
MAX_TIMED: Final = 10
"""Limit for sitemaps with response times, the slowest first."""

PERCENTILES: Final = (50, 75, 95, 99)
MAX_PERIODS: Final = 120
"""Limit for days, months or years in the chart of lastmods; the newest are kept."""

_EDGES: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_MAX_DAYS, _MAX_MONTHS = 62, 3_653
"""The longest spans, in days, over which lastmods are counted by day and by month."""

_DAYS: Final = """
    create table lastmod_days as
    select make_timestamp(epoch_us(lastmod))::date as day,
        lastmod > $started::timestamptz + interval 1 day as is_future, count(*) as urls
    from urls
    group by all
"""
"""The days of lastmods in UTC: converting a time with its zone takes ten times as long."""

_SPAN: Final = """
    select max(day) - min(day) filter (reached >= 0.02 * total)
    from (
        select day, sum(urls) over (order by day) as reached, sum(urls) over () as total
        from lastmod_days
        where day is not null and not is_future
    )
"""
"""The days from the second percentile to the latest."""


_TIMED: Final = f"from pages where role = '{Role.LISTED}' and elapsed is not null"
_QUANTILES: Final = (
    f"count(*), approx_quantile(elapsed, {[each / 100 for each in PERCENTILES]}) as percentiles"
)
_BUCKETS: Final = ", ".join(
    f"count_if(elapsed >= {low} and elapsed < {high})"
    for low, high in pairwise((0, *_EDGES, "'inf'::double"))
)

_OVERALL: Final = f"""
    select {_QUANTILES}, min({{faster: -elapsed, url: url}}, {MAX_SLOWEST}), {_BUCKETS}
    {_TIMED}
"""
"""The response times of all pages, in one scan: their file is wide."""

_BY_SITEMAP: Final = f"""
    select sitemap, {_QUANTILES}
    from (
        select unnest(sitemaps) as sitemap, elapsed
        from (select url, elapsed {_TIMED}) join urls using (url)
    )
    group by sitemap order by percentiles[-2] desc, sitemap limit {MAX_TIMED}
"""
"""The response times of each sitemap, the slowest first."""


class Count(Struct, frozen=True):
    """A name and its number of occurrences."""

    name: str
    count: int


class Target(Struct, frozen=True):
    """The final URL of redirects, and the number of listed URLs that redirect to it."""

    url: str
    status: int | None
    count: int


class Lastmods(Struct, frozen=True):
    """The latest lastmod of each listed URL, by ``unit``."""

    unit: str
    counts: tuple[Count, ...]
    earlier: int
    future: int
    missing: int


class Quantiles(Struct, frozen=True):
    """The response times, in seconds, of the pages of a sitemap, or of all."""

    sitemap: str
    pages: int
    values: tuple[float, ...]
    """The percentiles of ``PERCENTILES``."""


class Times(Struct, frozen=True):
    """The response times of listed pages, in seconds."""

    counts: tuple[Count, ...]
    overall: Quantiles | None
    sitemaps: tuple[Quantiles, ...]
    slowest: tuple[tuple[str, float], ...]


class Figures(Struct, frozen=True):
    """All figures of a run."""

    statuses: tuple[Count, ...]
    targets: tuple[Target, ...]
    target_count: int
    lastmods: Lastmods
    times: Times
    robots: tuple[tuple[Any, ...], ...]


def count_figures(connection: duckdb.DuckDBPyConnection, started: str) -> Figures:
    """Count the figures of a run; ``started`` is the time of its start."""
    return Figures(
        statuses=_statuses(connection),
        targets=_targets(connection),
        target_count=_number(
            connection,
            "select approx_count_distinct(final_url) from urls"
            f" where verdict = '{Verdict.REDIRECTED}' and final_url <> url",
        ),
        lastmods=_lastmods(connection, started),
        times=_times(connection),
        robots=tuple(
            connection.execute(
                f"select site[:{TEXT}], status, permission, coalesce(error_detail, error)[:{TEXT}],"
                " len(sitemaps) from robots order by audited desc, site limit 100"
            ).fetchall()
        ),
    )


def _statuses(connection: duckdb.DuckDBPyConnection) -> tuple[Count, ...]:
    query = (
        "select coalesce(status::varchar, error) as response, count(*) from urls"
        " where response is not null group by 1 order by 1 limit 100"
    )
    return tuple(Count(*row) for row in connection.execute(query).fetchall())


def _targets(connection: duckdb.DuckDBPyConnection) -> tuple[Target, ...]:
    query = (
        "select final_url, any_value(final_status), count(*) from urls"
        f" where verdict = '{Verdict.REDIRECTED}' and final_url <> url"
        f" group by 1 order by 3 desc, 1 limit {MAX_TARGETS}"
    )
    rows = connection.execute(query).fetchall()
    return tuple(Target(shorten(url, ADDRESS), status, count) for url, status, count in rows)


def _lastmods(connection: duckdb.DuckDBPyConnection, started: str) -> Lastmods:
    connection.execute(_DAYS, {"started": started})
    span = _number(connection, _SPAN)
    unit = "day" if span <= _MAX_DAYS else "month" if span <= _MAX_MONTHS else "year"
    rows = connection.execute(
        f"select date_trunc('{unit}', day)::date::varchar as start, sum(urls)::bigint"
        " from lastmod_days where day is not null and not is_future group by 1 order by 1 desc"
    ).fetchall()
    return Lastmods(
        unit,
        tuple(Count(start, count) for start, count in reversed(rows[:MAX_PERIODS])),
        earlier=sum(count for _, count in rows[MAX_PERIODS:]),
        future=_number(connection, "select sum(urls) from lastmod_days where is_future"),
        missing=_number(connection, "select sum(urls) from lastmod_days where day is null"),
    )


def _times(connection: duckdb.DuckDBPyConnection) -> Times:
    ((pages, percentiles, slowest, *counts),) = connection.execute(_OVERALL).fetchall()
    return Times(
        tuple(starmap(Count, zip(_bucket_names(), counts, strict=True))),
        Quantiles("", pages, tuple(percentiles)) if pages else None,
        tuple(
            Quantiles(shorten(sitemap, ADDRESS), pages, tuple(percentiles))
            for sitemap, pages, percentiles in connection.execute(_BY_SITEMAP).fetchall()
        ),
        tuple((shorten(each["url"], ADDRESS), -each["faster"]) for each in slowest or ()),
    )


def _bucket_names() -> list[str]:
    between = (f"{low:g} to {high:g}" for low, high in pairwise(_EDGES))
    return [f"under {_EDGES[0]:g}", *between, f"over {_EDGES[-1]:g}"]


def _number(
    connection: duckdb.DuckDBPyConnection, query: str, values: dict[str, Any] | None = None
) -> int:
    row = connection.execute(query, values).fetchone()
    return int(row[0]) if row and row[0] is not None else 0
