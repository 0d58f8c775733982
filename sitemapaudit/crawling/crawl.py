"""A crawl: its parts, and its phases in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sitemapaudit.config import CHECK, Config, Links, Scope
from sitemapaudit.crawling.assembling import Assembly
from sitemapaudit.crawling.doubts import Doubts
from sitemapaudit.crawling.entry_source import EntrySource
from sitemapaudit.crawling.fetches import Fetches
from sitemapaudit.crawling.given_urls import GivenUrls
from sitemapaudit.crawling.hooks import PageRenderer, PageWorkers
from sitemapaudit.crawling.intake import Intake
from sitemapaudit.crawling.page_crawl import PageCrawl
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.agent_pages import AgentPages
from sitemapaudit.crawling.phases.alternates import Alternates
from sitemapaudit.crawling.phases.built import Built
from sitemapaudit.crawling.phases.doubted import Doubted
from sitemapaudit.crawling.phases.doubted_media import DoubtedMedia
from sitemapaudit.crawling.phases.links import LinkCrawl
from sitemapaudit.crawling.phases.listed import Listed
from sitemapaudit.crawling.phases.media import MediaCheck
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.crawling.phases.recheck import Recheck
from sitemapaudit.crawling.phases.refetching import Refetching
from sitemapaudit.crawling.phases.resumption import RestoredFollowUps, Resumption
from sitemapaudit.crawling.phases.robots import SiteRobots
from sitemapaudit.crawling.recorded_sitemaps import RecordedSitemaps
from sitemapaudit.discovery.discovery import Discovery
from sitemapaudit.discovery.sitemap_reading import SitemapReaders, SitemapReading
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.hosts.agent_comparison import AgentComparison
from sitemapaudit.hosts.canonical_comparison import CanonicalComparison
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.hosts.pace import Pace
from sitemapaudit.runs.ledger.resuming import ResumedLedger

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.runs.audit_run import AuditRun


class Crawl:
    """Connects the parts of a crawl.

    ``renderer`` opens pages in a browser; None if nothing is rendered. ``pools`` are processes that
    read sitemaps and others that fetch pages; None if this one does.
    """

    def __init__(
        self,
        crawler: Crawler,
        config: Config,
        run: AuditRun,
        assembly: Assembly,
        renderer: PageRenderer | None,
        pools: tuple[SitemapReaders | None, PageWorkers | None],
    ) -> None:
        readers, workers = pools
        self._renderer = renderer
        self._discovery: EntrySource
        self.parts = parts = _connect(crawler, config, run, assembly)
        hosts, responses = parts.hosts, parts.responses
        if config.arguments.entries_from is not None:
            self._discovery = RecordedSitemaps(config, hosts, responses, run.folder)
        elif config.arguments.urls:
            self._discovery = GivenUrls(config, hosts, responses, run.folder)
        else:
            reading = SitemapReading(crawler, config, readers)
            self._discovery = Discovery(config, hosts, responses, parts.comparison, reading)
        self._pages = PageCrawl(parts, assembly.pages, renderer, workers)
        self._intake = Intake(parts.counts, self._pages)
        self._doubts = Doubts(crawler, run, parts.fetcher)
        self._resumption: Resumption | None = None
        if config.arguments.resume:
            self._resumption = Resumption(
                parts, ResumedLedger(run.folder), self._pages, self._intake
            )
            self._resumption.restore(self._discovery)

    def close(self) -> None:
        """Stop reading."""
        self.parts.hosts.close()
        self._pages.close()

    def phases(self, scope: Scope) -> Iterator[Phase]:
        """Yield the phases of this crawl in order; ``scope`` has the sites and sitemaps.

        Phases that need every entry come after the sitemaps; then failed pages are rechecked.
        Images and videos come last: a page with the same URL has been fetched by then.
        """
        parts, pages, intake = self.parts, self._pages, self._intake
        config, arguments = parts.config, parts.config.arguments
        yield SiteRobots(scope, self._discovery)
        if self._resumption is not None:
            yield self._resumption
        yield Listed(parts, self._discovery, pages, intake)
        if config.samples:
            # Few runs query their ledger: DuckDB takes 3 % of an audit of ten URLs to import.
            from sitemapaudit.crawling.phases.samples import Samples  # noqa: PLC0415

            yield Samples(parts, intake, self._renderer)
            if self._resumption is not None:
                yield RestoredFollowUps(self._resumption)
        if config.follows_alternates:
            yield Alternates(parts, self._discovery, pages, intake)
        links = LinkCrawl(parts, pages, intake)
        if arguments.links is not Links.NONE:
            yield links
        if parts.build is not None and not arguments.since:
            yield Built(parts.build, parts, self._discovery, pages, intake)
        if arguments.reuse is not None:
            yield Refetching(parts, intake)
        if config.other_agents:
            yield AgentPages(parts, intake)
        yield from self._second_attempts()
        while links.has_more:
            yield links
            yield from self._second_attempts()
        yield from self._media_phases()

    def _second_attempts(self) -> Iterator[Phase]:
        if self.parts.config.rechecks:
            yield Recheck(self.parts, self._pages.rechecks, self._intake)
        yield Doubted(self.parts, self._intake, self._doubts)

    def _media_phases(self) -> Iterator[Phase]:
        parts, config = self.parts, self.parts.config
        if config.arguments.media == CHECK:
            yield MediaCheck(parts, self._pages.selection)
            yield DoubtedMedia(parts, self._pages.selection, self._doubts)


def _connect(crawler: Crawler, config: Config, run: AuditRun, assembly: Assembly) -> Parts:
    """Create the parts of a crawl that others share."""
    table, fetcher = assembly.hosts, assembly.fetcher
    pace = Pace(crawler, table, config.settings.max_delay, config.arguments.shard.count)
    crawler.spider.pace = pace if config.settings.max_delay else None  # type: ignore[union-attr]
    responses = Responses(fetcher, keeps_html=not config.renders)
    hosts = Hosts(config, table, responses, pace, crawler.stats)
    # A build has the same response for everybody.
    enabled = config.settings.compare_agents and assembly.access.build is None
    comparison = AgentComparison(fetcher, hosts, run.note_comparison, enabled=enabled)
    canonicals = CanonicalComparison(fetcher, hosts, run.note_canonicals, enabled=enabled)
    return Parts(
        config,
        run,
        crawler.stats,
        hosts,
        fetcher,
        responses,
        pace,
        comparison,
        canonicals,
        Fetches(crawler, run),
        assembly.access.build,
    )
