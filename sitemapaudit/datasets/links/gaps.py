"""Gaps in the link graph of a run: what was not fetched, not read, or not recorded.

With a gap, a page without recorded links may be linked. So each gap is looked for and counted.
"""

from typing import Final

import duckdb

from sitemapaudit.verdicts import IS_UNREAD

LINK_GAPS: Final = f"""
    select place, reason, count(*) as number from link_pages where reason is not null
    group by place, reason
    union all
    select 3, 'sitemaps that could not be read', count(*) from sitemaps where {IS_UNREAD}
    having count(*) > 0
    union all
    select 11, 'links whose target is lost', links from link_losses where links > 0
    union all
    select 12, 'runs that were stopped', 1 from run where stopped
"""
"""The reasons, and how many pages, sitemaps or links each concerns."""


def graph_gaps(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return why the link graph may be incomplete, with counts; empty if it is complete.

    It needs the relations of a run. The reasons are in their order: first what was not fetched.
    """
    query = "select reason, number from link_gaps order by place, reason"
    return dict(connection.execute(query).fetchall())
