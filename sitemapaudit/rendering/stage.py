"""The part of a run that has a browser: whether, which pages, and what comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Self

from sitemapaudit.answer import Answer
from sitemapaudit.config import Config
from sitemapaudit.crawling.addresses import Allowance
from sitemapaudit.crawling.hosts import Hosts
from sitemapaudit.items import Page, Rendering, Robots
from sitemapaudit.rendering.browser import find_browser
from sitemapaudit.rendering.choice import Choice
from sitemapaudit.rendering.gate import Gate
from sitemapaudit.rendering.renderer import Renderer
from sitemapaudit.rendering.settings import browser_settings, context_options

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Stage:
    """Where pages are rendered; made before Scrapy's engine, which takes its settings over."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._config = config
        self._gate = Gate()
        self._choice = Choice(config.arguments.render)
        self._renderer: Renderer

    @classmethod
    def of(cls, crawler: Crawler, config: Config) -> Self | None:
        """Find a browser, and set what it needs; None if nothing is to be rendered.

        Raises ConfigError if there is no browser.
        """
        if not config.renders:
            return None
        browser = find_browser(config.settings.browser)
        stage = cls(crawler, config)
        chosen = browser_settings(browser, stage._gate, config.settings.tabs, crawler.settings)
        crawler.settings.setdict(chosen, priority="spider")
        return stage

    async def open(self, hosts: Hosts, allowance: Allowance) -> None:
        """Let the browser through to what the allowance admits."""
        await self._gate.open(allowance)
        options = context_options(self._crawler.settings, self._config.first_origin)
        self._renderer = Renderer(self._crawler, self._config, hosts, options)

    async def close(self) -> None:
        """Let nothing through any more."""
        await self._gate.close()

    def take_sample(self, sample: AbstractSet[str]) -> None:
        """Take the URLs that were drawn, where ``render`` is a number."""
        self._choice.take_sample(sample)

    def choose(self, page: Page) -> None:
        """Note on a page that was read why it is to be opened, if it is."""
        page.render = self._choice.reason(page)

    async def show(self, answer: Answer, page: Page) -> AsyncIterator[Rendering | Robots]:
        """Render a page if it is chosen; yield the robots.txt files that this took, and the row."""
        if page.render is not None:
            rendering = await self._renderer.render(answer, page, page.render)
            for robots in self._renderer.take_robots():
                yield robots
            yield rendering
