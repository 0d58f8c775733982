"""Which URLs a sample holds: as many as asked for, spread over the sitemaps.

The first of each sitemap, then the second of each, and so on, in an order
that the seed decides: a small sitemap is represented, and the sample of the
same entries is always the same. It is one sample for all shards, each of which
asks for those of it that it holds.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import connect, view_ledger
from sitemapaudit.items import LeftOut

SAMPLE: Final = f"""
    with candidates as (
        select url, min(sitemap) as sitemap
        from entries
        where kind <> 'sitemapindex' and url is not null
            and coalesce(left_out, '{LeftOut.SHARD}') = '{LeftOut.SHARD}'
        group by url
    ),
    ranked as (
        select url, md5($seed || url) as draw,
            row_number() over (partition by sitemap order by md5($seed || url)) as turn
        from candidates
    )
    select url from ranked order by turn, draw limit $size
"""
"""SQL over ``entries``, with the parameters ``seed`` (text) and ``size``."""


BATCH: Final = 10_000
"""URLs that are held in memory at a time."""

_LISTED: Final = """
    select distinct url from entries
    where kind <> 'sitemapindex' and url is not null and left_out is null
"""


def draw_sample(run: Path, size: int, seed: int, memory: int) -> list[str]:
    """Draw a sample of the URLs that the ledger of a run lists so far, of other shards too.

    A smaller sample is the beginning of a larger one.
    """
    with _entries(run, memory) as connection:
        rows = connection.execute(SAMPLE, {"seed": str(seed), "size": size}).fetchall()
    return [row[0] for row in rows]


def listed_urls(run: Path, memory: int) -> Iterator[list[str]]:
    """Yield all of them instead, in batches."""
    with _entries(run, memory) as connection:
        found = connection.execute(_LISTED)
        while rows := found.fetchmany(BATCH):
            yield [row[0] for row in rows]


@contextmanager
def _entries(run: Path, memory: int) -> Iterator[duckdb.DuckDBPyConnection]:
    scratch = run / "scratch"
    with connect(scratch, memory) as connection:
        view_ledger(connection, [run], ["entries"])
        connection.execute("create temporary view entries as from entries_log")
        yield connection
    shutil.rmtree(scratch, ignore_errors=True)
