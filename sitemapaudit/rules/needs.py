"""Conditions without which some rules find nothing: needs are about rows, choices about options.

Most websites have no video, and most audits render no page: planning the queries about those takes
longer than finding out that there are none.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple


class Need(NamedTuple):
    """A row of a table for which a condition in SQL is true."""

    table: str
    condition: str = "true"


def _unless_off(value: Any) -> Any:
    return value if value and value != "none" else None


class Choice(NamedTuple):
    """An argument or a setting that decides what a rule can find.

    ``part`` returns the part of its value that matters; None means that the rule finds nothing.
    The findings of two runs can be compared only if the part is the same in both.
    """

    name: str
    part: Callable[[Any], object] = _unless_off


_USUAL_STATUSES: Final = "(200, 301, 302, 303, 307, 308)"

ALTERNATES: Final = (Need("entries", "len(alternates) > 0"), Need("pages", "len(alternates) > 0"))
BLOCKED_SITEMAPS: Final = Need("sitemaps", "error = 'blocked'")
BUILDS: Final = Need("run", "len(build_hosts) > 0")
BUILT_FILES: Final = Need("pages", "file is not null")
CANONICALIZED: Final = Need("pages", "canonical <> url")
CHANGED_PAGES: Final = Need(
    "new.run",
    "(select count(lastmod_at) >= 5 from new.entries) and (select count(*) >= 5 from new.pages"
    " where date_modified_at is not null or hash(url, content_hash) not in"
    " (select hash(url, content_hash) from old.pages))",
)
DENIED: Final = Need("pages", "status in (401, 403, 407, 429) or challenge is not null")
ERROR_STATUSES: Final = Need("urls", "final_status >= 400")
FRAGMENTS: Final = Need("entries", "contains(loc, '#')")
HUNDRED_KNOWN_URLS: Final = Need("run", "(select count(indexable) from urls) >= 100")
INDEXES: Final = Need("entries", "kind = 'sitemapindex'")
INVALID_ELEMENTS: Final = (
    Need("entries", "len(unknown_elements) > 0 or len(repeated_elements) > 0"),
    Need("sitemaps", "len(unexpected_elements) > 0"),
)
LASTMODS: Final = Need("entries", "lastmod_at is not null")
LAST_MODIFIED: Final = Need("pages", "last_modified is not null")
LIMITED_SITEMAPS: Final = Need(
    "sitemaps",
    "directory_of(coalesce(final_url, sitemap)) <> origin_of(coalesce(final_url, sitemap)) || '/'",
)
LINKS: Final = Need("run", "links")
MANY_LASTMODS: Final = Need(
    "run",
    "(select count(*) >= 50 or count_if(contains(lastmod, ':')) >= 9"
    " from entries where lastmod_at is not null)",
)
MANY_DATED_ENTRIES: Final = Need("new.run", "(select count(lastmod_at) >= 20 from new.entries)")
MEDIA: Final = Need("run", "media")
NEWS: Final = Need("entries", "len(news) > 0")
NO_RESPONSES: Final = Need("urls", "final_error is not null")
NO_SITEMAP: Final = Need("robots", "well_known_found = 0")
OTHER_ORIGINS: Final = (
    Need("entries", "not starts_with(url, origin_of(sitemap) || '/')"),
    Need("sitemaps", "not starts_with(final_url, origin_of(sitemap) || '/')"),
)
OUT_OF_ORDER: Final = Need("entries", "out_of_order")
PAGE_DATES: Final = Need("pages", "date_modified_at is not null")
PRIORITIES: Final = Need("entries", "priority is not null")
REDIRECTS: Final = Need("pages", "target is not null")
REDIRECTS_NOWHERE: Final = Need("pages", "status in (301, 302, 303, 307, 308) and target is null")
RENDERED: Final = Need("pages", "render_reason is not null")
REPEATED: Final = Need("repeated_urls")
SEVERAL_AGENTS: Final = Need("run", "several_agents")
SEVERAL_ORIGINS: Final = Need(
    "urls", "not starts_with(url, (select origin_of(min(url)) from urls) || '/')"
)
SHRUNK_SITEMAPS: Final = Need(
    "old.sitemaps",
    "entries > 0 and sitemap || ' ' || entries not in (select sitemap || ' ' || entries"
    " from new.sitemaps where coalesce(status, 200) not in (404, 410))",
)
SOFT_404S: Final = (
    Need("pages", "soft_404 is not null or rendered_soft_404 is not null"),
    Need("soft_404s"),
    Need("urls", "hops > 0"),
)
STAGING: Final = Need("run", "len(staging) > 0")
TEXTS: Final = Need("pages", "words >= 50 and content_hash is not null")
TRUNCATED: Final = (
    Need("pages", "len(truncated_columns) > 0 or len(rendered_truncated_columns) > 0"),
    Need("entries", "len(truncated_columns) > 0"),
    Need("sitemaps", "len(truncated_columns) > 0"),
    Need("robots", "len(truncated_columns) > 0"),
)
UNFINISHED: Final = Need("run", "reason is not null")
UNUSUAL_STATUSES: Final = Need(
    "pages",
    f"status not between 400 and 599 and status not in {_USUAL_STATUSES}"
    " or status = 200 and bytes = 0",
)
VIDEOS: Final = Need("entries", "len(videos) > 0")

EXTENT: Final = (
    Choice("pages"),
    *(Choice(name, str) for name in ("shard", "include", "exclude", "since")),
)
"""The arguments that say what is audited: a run without pages finds no faults in pages."""
BUILD: Final = Choice("folder", lambda value: True if value else None)
FOLLOWS_CANONICALS: Final = Choice("follow", lambda value: "canonical" in value)
FOLLOWS_HREFLANG: Final = Choice("follow", lambda value: "hreflang" in value)
FOLLOWS_REDIRECTS: Final = Choice("follow", lambda value: "redirect" in value)
RECORDED_LINKS: Final = (Choice("links"), *EXTENT)
"""The link graph depends on which pages were fetched."""
REQUESTED_AGENTS: Final = Choice("agents")
REQUESTED_MEDIA: Final = Choice("media")
REQUESTED_STAGING: Final = Choice("staging", lambda value: True if value else None)


def query_needs(table: str, needs: list[Need]) -> str:
    """Return a query with a column for each need of a table: whether it is met."""
    met = ", ".join(f"coalesce(bool_or({need.condition}), false)" for need in needs)
    return f"select {met} from {table}"  # noqa: S608 - our own names and conditions
