"""The names of the numbers of an audit in Scrapy's stats collector."""

from collections.abc import Mapping
from typing import Final, Protocol


class Stats(Protocol):
    """A collection of counts, such as Scrapy's stats collector."""

    def inc_value(self, key: str, count: int = 1) -> None:
        """Add to a number."""


EXIT_STATUS: Final = "sitemapaudit/exit_status"
"""The exit status of the command."""

ENTRIES: Final = "sitemapaudit/entries"
"""Entries that were read so far."""

LISTED: Final = "sitemapaudit/listed"
"""Listed URLs to fetch, in the sitemaps that were read so far."""

ALL_LISTED: Final = "sitemapaudit/all_listed"
"""1 as soon as LISTED counts all of them."""

DONE: Final = "sitemapaudit/done"
"""Listed URLs that were fetched."""

LINKED: Final = "sitemapaudit/linked"
"""Linked URLs to fetch that no sitemap lists, so far."""

MEDIA: Final = "sitemapaudit/media"
"""Images and videos that were checked, and targets of their redirects."""

RENDERED: Final = "sitemapaudit/rendered"
"""Pages that were rendered."""

FINDINGS: Final = "sitemapaudit/findings"
"""Findings of row rules so far; at the end, all findings."""

RESTED: Final = "sitemapaudit/rested"
"""Seconds that hosts were paused because they refused requests."""

SET_ASIDE_HEADERS: Final = "sitemapaudit/set_aside/headers"
"""Responses of staging whose X-Robots-Tag was ignored."""

SET_ASIDE_ROBOTS: Final = "sitemapaudit/set_aside/robots"
"""robots.txt files of staging that were ignored."""

RENAMED_ADDRESSES: Final = "sitemapaudit/set_aside/addresses"
"""Headers and bodies with an address of staging that was read as that of the site."""

SET_ASIDE: Final = {
    "robots": SET_ASIDE_ROBOTS,
    "headers": SET_ASIDE_HEADERS,
    "addresses": RENAMED_ADDRESSES,
}
"""The stats of ignored blocks, by their names in the manifest."""

ROBOTS_REQUESTS: Final = "robotstxt/request_count"
"""Scrapy's count of robots.txt files that were requested."""

ROBOTS_RESPONSES: Final = "robotstxt/response_count"
"""Those that were answered."""

FORBIDDEN: Final = "robotstxt/forbidden"
"""Scrapy's count of URLs that robots.txt disallows; here, of the listed ones."""

_BROKEN: Final = "sitemapaudit/broken/"

_REFUSED: Final = "sitemapaudit/refused/"


def robots_status_stat(status: int) -> str:
    """Return Scrapy's stat that counts the robots.txt files with this status."""
    return f"robotstxt/response_status_count/{status}"


def refused_stat(status: int) -> str:
    """Return the stat that counts the responses of this status that asked to wait."""
    return f"{_REFUSED}{status}"


def count_refused(values: Mapping[str, float]) -> dict[str, int]:
    """Return the responses that asked to wait, per status, from all stats."""
    return {
        name.removeprefix(_REFUSED): int(count)
        for name, count in sorted(values.items())
        if name.startswith(_REFUSED)
    }


def count_set_aside(values: Mapping[str, float]) -> dict[str, int]:
    """Return the ignored blocks of staging, by their names in the manifest, from all stats."""
    return {what: int(values.get(stat, 0)) for what, stat in SET_ASIDE.items()}


def broken_stat(rule: str) -> str:
    """Return the stat that counts how often a rule raised in a worker."""
    return f"{_BROKEN}{rule}"


def broken_rules(values: Mapping[str, float]) -> dict[str, int]:
    """Return how often each rule raised in workers, from all stats."""
    return {
        name.removeprefix(_BROKEN): int(count)
        for name, count in values.items()
        if name.startswith(_BROKEN)
    }


def verdict_stat(verdict: str) -> str:
    """Return the stat that counts the URLs of a verdict."""
    return f"sitemapaudit/verdict/{verdict}"


def finding_stat(rule: str) -> str:
    """Return the stat that counts the findings of a rule."""
    return f"sitemapaudit/finding/{rule}"
