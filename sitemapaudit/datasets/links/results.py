"""The results of links: their counts, and the datasets about orphans."""

from typing import Final

import duckdb

from sitemapaudit.datasets.links.gaps import graph_gaps
from sitemapaudit.runs.link_counts import LinkCounts

REACHED: Final = """
    coalesce(
        (select any_value(linked_only_from_orphans) is not null from urls)
            and url not in (select url from orphans), false
    )
"""
"""SQL: whether a listed, indexable page can be reached from a home page.

Other pages can be reached, if a home page was read.
"""

_COUNTS: Final = f"""
    select
        count(*) as indexable, count(*) filter ({REACHED}) as reachable,
        (select count(*) from orphans where certain) as orphans,
        (select count(*) from orphans where not certain) as candidates,
        (select count(*) from unlisted_pages where certain) as unlisted,
        (select coalesce(sum(read), 0)::bigint from link_coverage) as read_pages,
        (select coalesce(sum(known), 0)::bigint from link_coverage) as known_pages
    from urls where indexable
"""


def count_links(connection: duckdb.DuckDBPyConnection) -> LinkCounts:
    """Return the counts of a run that recorded links, from its tables and relations."""
    cursor = connection.execute(_COUNTS)
    names = [column[0] for column in cursor.description or ()]
    counts = dict(zip(names, cursor.fetchall()[0], strict=True))
    return LinkCounts(**counts, gaps=graph_gaps(connection))
