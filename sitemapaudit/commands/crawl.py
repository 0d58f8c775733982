"""``scrapy crawl``: checks the arguments before anything starts, and tells the outcome."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from scrapy.commands.crawl import Command as ScrapyCrawl

from sitemapaudit.config import Config
from sitemapaudit.demo.website import EXCLUDE, SETTINGS
from sitemapaudit.options import ConfigError
from sitemapaudit.pipelines import EXIT_STAT
from sitemapaudit.rendering.browser import find_browser
from sitemapaudit.spiders.sitemap import SitemapSpider

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

USAGE_ERROR = 2
FAILED = 3


class Command(ScrapyCrawl):
    """Run a spider; the exit status says how the audit ended (see the README)."""

    def __init__(self) -> None:
        super().__init__()
        self._crawlers: list[Crawler] = []

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the arguments of an audit: what is wrong is one sentence and status 2."""
        super().process_options(args, opts)
        if args != [SitemapSpider.name] or self.settings is None:
            return
        if sys.stderr.isatty() and not opts.loglevel and not self._sets(opts, "LOG_LEVEL"):
            # The progress bar tells what goes on; the log is for what goes wrong.
            self.settings.set("LOG_LEVEL", "WARNING", priority="project")
        try:
            config = Config.read(opts.spargs, self.settings)
            if config.renders:
                find_browser(config.settings.browser)
        except ConfigError as error:
            print(error, file=sys.stderr)
            sys.exit(USAGE_ERROR)
        if config.is_demo:
            opts.spargs = {"exclude": EXCLUDE} | opts.spargs
            chosen = {pair.partition("=")[0] for pair in opts.set}
            self.settings.setdict(
                {name: value for name, value in SETTINGS.items() if name not in chosen},
                priority="cmdline",
            )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider, and set the exit status."""
        super().run(args, opts)
        for crawler in self._crawlers:
            if crawler.spidercls is SitemapSpider:
                self.exitcode = _exit_status(crawler)

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        crawler = super()._create_crawler(spidercls)
        self._crawlers.append(crawler)
        return crawler

    @staticmethod
    def _sets(opts: argparse.Namespace, name: str) -> bool:
        return any(pair.startswith(f"{name}=") for pair in opts.set)


def _exit_status(crawler: Crawler) -> int:
    try:
        return int(crawler.stats.get_value(EXIT_STAT, FAILED))
    except RuntimeError:  # The crawl ended before it began.
        return FAILED
