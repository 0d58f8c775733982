"""Which URLs a sample contains: a given number, spread over the sitemaps.

It takes the first URL of each sitemap, then the second of each, and so on, in an order that the
seed decides. So a small sitemap is represented, and the sample of the same entries is always the
same. All shards share one sample: each fetches the URLs of it that it owns.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import SCRATCH, connect, create_ledger_views
from sitemapaudit.items import SkipReason

SAMPLE: Final = f"""
    with candidates as (
        select url, min(sitemap) as sitemap
        from entries
        where kind <> 'sitemapindex' and url is not null
            and coalesce(skip_reason, '{SkipReason.SHARD}') = '{SkipReason.SHARD}'
        group by url
    ),
    ranked as (
        select url, md5($seed || url) as draw,
            row_number() over (partition by sitemap order by md5($seed || url)) as turn
        from candidates
    )
    select url from ranked order by turn, draw limit $size
"""
"""SQL over ``entries`` with the parameters ``seed`` (text) and ``size``."""


BATCH: Final = 1_000
"""URLs that are held in memory at a time."""

_LISTED: Final = """
    select distinct url from entries
    where kind <> 'sitemapindex' and url is not null and skip_reason is null
"""


def draw_sample(run: Path, size: int, seed: int, memory: int) -> list[str]:
    """Draw a sample of the URLs that the ledger of a run lists, those of other shards included.

    A smaller sample is the beginning of a larger one. ``memory`` is in megabytes.
    """
    with _entries(run, memory) as connection:
        rows = connection.execute(SAMPLE, {"seed": str(seed), "size": size}).fetchall()
    return [row[0] for row in rows]


def listed_urls(run: Path, memory: int) -> Iterator[list[str]]:
    """Yield all URLs that the ledger of a run lists, in batches."""
    with _entries(run, memory) as connection:
        found = connection.execute(_LISTED)
        while rows := found.fetchmany(BATCH):
            yield [row[0] for row in rows]


@contextmanager
def _entries(run: Path, memory: int) -> Iterator[duckdb.DuckDBPyConnection]:
    # A thread can still draw a sample of a run that was stopped, while its tables are built.
    scratch = run / SCRATCH / "sample"
    try:
        with connect(scratch, memory) as connection:
            create_ledger_views(connection, [run], ["entries"], scratch)
            connection.execute("create temporary view entries as from entries_log")
            yield connection
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
