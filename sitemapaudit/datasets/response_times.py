"""How fast pages respond: percentiles of their response times, by site and by sitemap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import duckdb

from sitemapaudit.items import Role

PERCENTILES: Final = (0.5, 0.75, 0.95, 0.99)

_TIMES: Final = f"""
    select url, elapsed from pages
    where role = '{Role.LISTED}' and elapsed is not null and status is not null
"""

RESPONSE_TIMES: Final = f"""
    with times as ({_TIMES}), places as (
        select 'site' as scope, origin_of(url) as place, elapsed from times
        union all
        select 'sitemap', sitemap, elapsed
        from (select url, unnest(sitemaps) as sitemap from urls) join times using (url)
    )
    select scope, place, count(*) as pages,
        approx_quantile(elapsed, {list(PERCENTILES)}) as percentiles, max(elapsed) as slowest
    from places
    group by scope, place
    order by scope, pages desc, place
"""
"""SQL: the seconds until the response of the listed pages of each site, and of each sitemap."""


@dataclass(slots=True, frozen=True)
class ResponseTimes:
    """The response times of the pages of a ``site`` or ``sitemap``, in seconds."""

    scope: str
    place: str
    pages: int
    p50: float
    p75: float
    p95: float
    p99: float
    slowest: float


def read_response_times(connection: duckdb.DuckDBPyConnection) -> Iterator[ResponseTimes]:
    """Yield the response times of each site and each sitemap; largest first."""
    for scope, place, pages, percentiles, slowest in connection.execute(RESPONSE_TIMES).fetchall():
        p50, p75, p95, p99 = percentiles
        yield ResponseTimes(scope, place, pages, p50, p75, p95, p99, slowest)
