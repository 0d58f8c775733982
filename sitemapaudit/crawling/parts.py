"""Objects that the parts of a crawl share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from sitemapaudit.config import Config
from sitemapaudit.crawling.fetches import Fetches
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.hosts.agent_comparison import AgentComparison
from sitemapaudit.hosts.canonical_comparison import CanonicalComparison
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.hosts.pace import Pace
from sitemapaudit.runs.audit_run import AuditRun

if TYPE_CHECKING:
    from scrapy.statscollectors import StatsCollector

    from sitemapaudit.fetching.build_site import BuildSite


class Parts(Struct, frozen=True):
    """The run, its hosts, and the parts that fetch from them.

    ``counts`` are Scrapy's stats, ``build`` is the build folder that replaces the site, if any.
    """

    config: Config
    run: AuditRun
    counts: StatsCollector
    hosts: Hosts
    fetcher: Fetcher
    responses: Responses
    pace: Pace
    comparison: AgentComparison
    canonicals: CanonicalComparison
    fetches: Fetches
    build: BuildSite | None
