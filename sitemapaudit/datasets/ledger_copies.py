"""The tables that are the ledger's own, each row once and in order: robots, sitemaps, entries."""

import logging
from typing import Final

from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.damage import count_repeated, unique_rows
from sitemapaudit.datasets.database import create_ledger_view, is_small
from sitemapaudit.datasets.parquet import write_view, write_whole_table
from sitemapaudit.datasets.row_order import create_small_table, sorted_table

logger = logging.getLogger(__name__)

ROBOTS: Final = "from robots_log"
SITEMAPS: Final = """
    from sitemaps_log qualify row_number() over (partition by sitemap order by complete desc) = 1
"""
"""A long file also has a row at its beginning: the last one wins."""
ENTRIES: Final = "from entries_log"


def store_log(build: Build, relation: Relation) -> None:
    """Let queries read the lines of a ledger file."""
    table = relation.name.removesuffix("_log")
    create_ledger_view(build.connection, build.runs, table, build.drafts)


def store_copy(build: Build, relation: Relation) -> None:
    """Write a table with each row of the ledger once, in its own order."""
    table, connection = relation.name, build.connection
    if is_small(build.runs, table):
        create_small_table(connection, table, relation.sql)
        if not count_repeated(connection, table, table):
            write_whole_table(build, table)
            return
        connection.execute(f"drop table {table}")
    write_view(build, table, relation.sql)
    if repeated := count_repeated(connection, table, table):
        warn_of_repeated(repeated, table)
        write_view(build, table, unique_rows(build.drafts, table))
    if in_order := sorted_table(connection, build.drafts, table):
        write_view(build, table, in_order)
        connection.execute(f"drop table if exists sorted_{table}")


def warn_of_repeated(rows: int, table: str) -> None:
    """Log that the ledger has rows twice."""
    logger.warning("The ledger has %d rows of %s twice; they count once", rows, table)
