"""The names of the audit's stats in Scrapy's stats collector."""

from __future__ import annotations

from typing import Final

RUN: Final = "sitemapaudit/run"
"""The path of the run folder."""

EXIT_STATUS: Final = "sitemapaudit/exit_status"
"""The exit status of the command."""

ENTRIES: Final = "sitemapaudit/entries"
"""Entries that were read so far."""

LISTED: Final = "sitemapaudit/listed"
"""Listed URLs to fetch, as far as the sitemaps were read."""

DONE: Final = "sitemapaudit/done"
"""Listed URLs that were fetched."""

RENDERED: Final = "sitemapaudit/rendered"
"""Pages that were rendered."""

FINDINGS: Final = "sitemapaudit/findings"
"""Findings of row rules so far; at the end, all findings."""


def verdict_stat(verdict: str) -> str:
    """Return the stat that counts the URLs of a verdict."""
    return f"sitemapaudit/verdict/{verdict}"


def finding_stat(rule: str) -> str:
    """Return the stat that counts the findings of a rule."""
    return f"sitemapaudit/finding/{rule}"
