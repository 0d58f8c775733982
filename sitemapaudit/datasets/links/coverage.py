"""The coverage of the link graph: the known pages that have no unknown link."""

from typing import Final

LINK_COVERAGE: Final = """
    select count(*) filter (reason is null) as read, count(*) as known
    from link_pages
    where exists (from link_nodes)
    having count(*) > 0
"""
"""One row: the pages without an unknown link, and the known pages that have or may have links.

There is none if nothing was recorded. Pages that were fetched and cannot have links, such as images
and redirects, are not counted.
"""
