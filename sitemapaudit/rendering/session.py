"""The rendering of a run: chooses pages, and opens them in one browser."""

import tempfile
from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Self

from msgspec.structs import replace
from scrapy.crawler import Crawler

from sitemapaudit.config import Config, Links
from sitemapaudit.crawling.hooks import RenderOutput
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page
from sitemapaudit.rendering.browser import find_browser
from sitemapaudit.rendering.browser_proxy import BrowserProxy
from sitemapaudit.rendering.browser_settings import (
    browser_settings,
    check_browser,
    context_options,
)
from sitemapaudit.rendering.launcher import write_launcher
from sitemapaudit.rendering.page_choice import PageChoice
from sitemapaudit.rendering.renderer import Renderer
from sitemapaudit.rendering.stand_in import StandIn
from sitemapaudit.runs.ledger.records import ReadItem


class RenderSession:
    """Renders the pages of a run; created before Scrapy's engine, which reads its settings."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._config = config
        self._proxy = BrowserProxy()
        self._folder = tempfile.TemporaryDirectory(prefix="sitemapaudit-")
        self._choice = PageChoice(
            config.arguments.render,
            links=config.arguments.links is not Links.NONE,
            domains=config.domains,
            seed=config.settings.seed,
        )
        self._renderer: Renderer

    @classmethod
    def create(cls, crawler: Crawler, config: Config) -> Self:
        """Find a browser and apply its settings; raises ConfigError if there is none."""
        check_browser(config, crawler.settings)
        browser = find_browser(config.settings.browser)
        session = cls(crawler, config)
        launcher = write_launcher(browser.program, Path(session._folder.name))
        browser = replace(browser, program=launcher)
        concurrency = config.settings.render_concurrency
        chosen = browser_settings(browser, session._proxy, concurrency, crawler.settings)
        # They contain the user's settings, including those of the command line.
        crawler.settings.setdict(chosen, priority="cmdline")
        return session

    async def open(self, hosts: Hosts, fetcher: Fetcher, policy: AddressPolicy) -> None:
        """Let the browser connect to addresses that the policy allows."""
        # In place of staging or a build, the browser would request the site itself.
        await self._proxy.open(None if self._config.is_offline else policy)
        options = context_options(self._crawler.settings, self._config.first_origin)
        stand_in = StandIn(fetcher).serve if self._config.is_offline else None
        self._renderer = Renderer(self._crawler, self._config, hosts, options, stand_in)

    async def close(self) -> None:
        """Close the proxy."""
        await self._proxy.close()
        self._folder.cleanup()

    def take_sample(self, sample: AbstractSet[str]) -> None:
        """Set the URLs to render if ``render`` is a number."""
        self._choice.take_sample(sample)

    def choose(self, page: Page) -> None:
        """Set the render reason of a page that was read, if it is chosen."""
        page.render_reason = self._choice.reason(page)

    async def render(self, response: Response, page: Page) -> AsyncIterator[RenderOutput]:
        """Render a page if it is chosen; yield the robots.txt files that were read, and the row."""
        if page.render_reason is not None:
            rendering = await self._renderer.render(response, page, page.render_reason)
            for robots in self._renderer.take_robots():
                yield robots
            links = self._renderer.take_links(page.url)
            yield rendering if links is None else ReadItem(rendering, links)
