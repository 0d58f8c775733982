"""``scrapy crawl``: checks the arguments before anything starts, and tells the outcome."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.utils.log import configure_logging

from sitemapaudit.config import Config, recorded, take_over
from sitemapaudit.datasets.folders import check_writable, folder_name, is_under_way
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.demo.website import EXCLUDE, SETTINGS
from sitemapaudit.options import ConfigError
from sitemapaudit.pipelines import EXIT_STAT, exit_status
from sitemapaudit.rendering.browser import find_browser
from sitemapaudit.spiders.sitemap import SitemapSpider

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

ENDED: Final = "Exit status %d"
"""The last line of the log: Scrapyd keeps the status of its jobs nowhere else within reach."""

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
            if opts.spargs.get("resume"):
                take_over(recorded(opts.spargs["resume"]).settings, self.settings)
            config = Config.read(opts.spargs, self.settings)
            if config.renders:
                find_browser(config.settings.browser)
        except ConfigError as error:
            self._leave(str(error))
        if config.arguments.resume:
            self._check(config.arguments.resume, config.settings.fail_on)
        elif config.is_demo:
            opts.spargs = {"exclude": EXCLUDE} | opts.spargs
        self._check_room(config)
        if config.is_demo:
            chosen = {pair.partition("=")[0] for pair in opts.set}
            self.settings.setdict(
                {name: value for name, value in SETTINGS.items() if name not in chosen},
                priority="cmdline",
            )

    def _leave(self, sentence: str, status: int = USAGE_ERROR) -> NoReturn:
        """Leave with one sentence; it stands in the log file too, if one was asked for."""
        refused = status == USAGE_ERROR
        print(sentence, file=sys.stderr if refused else sys.stdout)
        if self.settings is not None and self.settings.get("LOG_FILE"):
            # Of a job of Scrapyd people see nothing but its log.
            configure_logging(self.settings)
            for line in (sentence, ENDED % status):
                logger.log(logging.ERROR if refused else logging.INFO, line)
        sys.exit(status)

    def _check(self, run: Path, fail_on: str) -> None:
        """Leave if there is nothing to go on with here, or another process is at it."""
        manifest = Manifest.read(run)
        if manifest.shards:
            self._leave(f"resume: {run} was merged from shards; resume these.")
        if manifest.status is Status.FINISHED and not manifest.damage:
            told = f"{run} is finished: there is nothing to resume."
            self._leave(told, exit_status(manifest, fail_on))
        if is_under_way(run):
            self._leave(f"resume: {run} is under way in another process.")

    def _check_room(self, config: Config) -> None:
        """Leave if the run could not be written down."""
        resume, audits = config.arguments.resume, config.settings.dir
        try:
            check_writable(resume or audits / folder_name(config.name()))
        except OSError as error:
            what = f"resume: {resume}" if resume else f"AUDIT_DIR: {audits}"
            self._leave(f"{what} cannot be written: {error.strerror}.")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider, and set the exit status."""
        super().run(args, opts)
        for crawler in self._crawlers:
            if crawler.spidercls is SitemapSpider:
                self.exitcode = _exit_status(crawler)
                logger.info(ENDED, self.exitcode)

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
