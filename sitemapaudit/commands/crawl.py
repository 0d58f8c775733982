"""``scrapy crawl``: checks the arguments before anything starts, and returns the exit status."""

from __future__ import annotations

import argparse
import logging
import sys
from typing import TYPE_CHECKING, Final, NoReturn

from scrapy.addons import AddonManager
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.log import configure_logging

from sitemapaudit.cli.command import FOUND, INCOMPLETE, SUCCESS
from sitemapaudit.cli.starting.audit_place import AuditPlace
from sitemapaudit.cli.starting.crawl_options import CrawlOptions
from sitemapaudit.cli.starting.not_started import NotStartedError
from sitemapaudit.cli.starting.resumed_audit import ResumedAudit
from sitemapaudit.cli.starting.stored_runs import find_stored_run
from sitemapaudit.config import Config, ConfigError
from sitemapaudit.config.components import check_components
from sitemapaudit.config.options import suggest_name
from sitemapaudit.config.scrapy_settings import expected_log_file, set_settings
from sitemapaudit.machine import find_low_limit
from sitemapaudit.output import say
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.runs import stats
from sitemapaudit.runs.uploads.copies import remove_empty_copy
from sitemapaudit.spiders.sitemap import SitemapSpider

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

EXIT_STATUS: Final = "Exit status %d"
"""The last line of the log, the only place where Scrapyd keeps the exit status of a job."""


class Command(ScrapyCrawl):
    """Runs a spider; the exit status of an audit says how the audit ended."""

    def __init__(self) -> None:
        super().__init__()
        self._crawlers: list[Crawler] = []
        self._options: CrawlOptions | None = None
        self._place: AuditPlace | None = None
        self._resumed: ResumedAudit | None = None

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the arguments of an audit: a mistake is one sentence and status 2."""
        try:
            _check_limits()
            self._read_options(args, opts)
            spider = self._load_spider(args)
            if issubclass(spider, SitemapSpider):
                self._prepare(spider, opts)
        except NotStartedError as error:
            self._exit(error)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider, and set the exit status."""
        if self._place is not None:
            try:
                opts.spargs["_first_addresses"] = self._place.find_first_addresses()
            except NotStartedError as error:
                self._exit(error)
        super().run(args, opts)
        for crawler in self._crawlers:
            if issubclass(crawler.spidercls, SitemapSpider):
                self.exitcode = _exit_status(crawler)
                logger.info(EXIT_STATUS, self.exitcode)

    def _read_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read Scrapy's options; the address of a feed can contain a password."""
        try:
            super().process_options(args, opts)
        except UsageError as error:
            self._find_mistake(opts.set)
            raise UsageError(hide_passwords(str(error)), print_help=error.print_help) from None
        except (TypeError, ValueError):
            self._find_mistake(opts.set)
            raise

    def _find_mistake(self, pairs: list[str]) -> None:
        """Raise NotStartedError for a setting on the command line that is not a table."""
        assert self.settings is not None
        given = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        try:
            set_settings(self.settings, given, SETTINGS_PRIORITIES["cmdline"])
        except ConfigError as error:
            raise NotStartedError(str(error)) from None

    def _load_spider(self, args: list[str]) -> type[Spider]:
        """Return a spider of the project, or of its add-ons; raises NotStartedError."""
        settings = self.settings
        if len(args) != 1 or settings is None:
            raise UsageError("give the name of one spider, such as sitemap", print_help=False)
        if settings["ADDONS"]:
            settings = settings.copy()
            try:
                check_components(settings)
            except ConfigError as error:
                raise NotStartedError(str(error)) from None
            AddonManager.load_pre_crawler_settings(settings)
        loader = get_spider_loader(settings)
        try:
            return loader.load(args[0])
        except KeyError:
            known = loader.list()
        offer = suggest_name(args[0], known) or f"use one of {', '.join(known)}"
        raise NotStartedError(f"There is no spider {args[0]!r}; {offer}")

    def _prepare(self, spider: type[SitemapSpider], opts: argparse.Namespace) -> None:
        """Check all that an audit needs; raises NotStartedError."""
        assert self.settings is not None
        self._options = options = CrawlOptions(self.settings, opts)
        config = options.configure(spider)
        if not config.arguments.resume and (stored := find_stored_run(config)):
            options.resume(stored)
            config = options.configure(spider)
        self._take_place(config)
        if config.is_demo:
            options.prepare_demo(is_resumed=self._resumed is not None)

    def _take_place(self, config: Config) -> None:
        """Check that the run can be written, and that no other process writes it."""
        place = AuditPlace(config)
        if not config.arguments.resume:
            place.check_writable()
        else:
            self._resumed = ResumedAudit(config)
            self._resumed.check()
            place.check_writable()
            self._resumed.take()
        self._place = None if config.is_demo else place

    def _exit(self, refusal: NotStartedError) -> NoReturn:
        """Exit with one sentence, also in the log file if there is one."""
        if self._options is not None and self._options.copy is not None:
            remove_empty_copy(self._options.copy)
        reason, status = str(refusal), refusal.exit_status
        sentence = reason if reason.endswith((".", "?")) else f"{reason}."
        refused = status not in (SUCCESS, FOUND, INCOMPLETE)
        say(sentence, error=refused)
        log = self.settings and self.settings["LOG_FILE"]
        if log and expected_log_file(log) is None:
            # Users of Scrapyd see only the log of their job.
            configure_logging(self.settings)
            for line in (sentence, EXIT_STATUS % status):
                logger.log(logging.ERROR if refused else logging.INFO, line)
        sys.exit(status)

    def _create_crawler(self, spidercls: type[Spider] | str) -> Crawler:
        crawler = super()._create_crawler(spidercls)
        self._crawlers.append(crawler)
        return crawler


def _check_limits() -> None:
    """Check that no limit of this process is too low for an audit; raises NotStartedError."""
    if (fault := find_low_limit()) is not None:
        raise NotStartedError(f"{fault.reason}; {fault.remedy}", INCOMPLETE)


def _exit_status(crawler: Crawler) -> int:
    try:
        return int(crawler.stats.get_value(stats.EXIT_STATUS, INCOMPLETE))
    except RuntimeError:  # The crawl failed at the start.
        return INCOMPLETE
