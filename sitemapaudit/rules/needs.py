"""What a run must have for some query rules to find anything.

Most websites have no video, and most audits render no page: to plan the queries about those takes
longer than to find out that there is nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Need(NamedTuple):
    """A row of a table for which a condition in SQL is true."""

    table: str
    condition: str = "true"


ALTERNATES: Final = Need("alternates")
CANONICALIZED: Final = Need("pages", "canonical <> url")
LINKS: Final = Need("run", "links")
MEDIA: Final = Need("run", "media")
NEWS: Final = Need("entries", "len(news) > 0")
REDIRECTS: Final = Need("pages", "target is not null")
RENDERED: Final = Need("pages", "render_reason is not null")
REPEATED: Final = Need("repeated_urls")
SEVERAL_AGENTS: Final = Need("agents")
VIDEOS: Final = Need("entries", "len(videos) > 0")


def query_needs(table: str, needs: list[Need]) -> str:
    """Return the query that says of each need of a table whether it is met."""
    met = ", ".join(f"coalesce(bool_or({need.condition}), false)" for need in needs)
    return f"select {met} from {table}"  # noqa: S608 - our own names and conditions
