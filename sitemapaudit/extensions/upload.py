"""Uploads the run to the store of AUDIT_UPLOAD, and says at the end whether the store has it."""

import logging
from contextlib import suppress
from typing import Any, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from sitemapaudit.config import Config
from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.signals import audit_finished, machine_failed
from sitemapaudit.machine import MachineFault
from sitemapaudit.output import say
from sitemapaudit.runs import stats
from sitemapaudit.runs.manifest import INCOMPLETE
from sitemapaudit.runs.uploads.links import NEW, Link
from sitemapaudit.runs.uploads.uploader import Uploader

_INTERVAL: Final = 1.0

logger = logging.getLogger(__name__)


class Upload:
    """Uploads a run while it runs, and stops it if another process has taken it over."""

    def __init__(self, crawler: Crawler, config: Config) -> None:
        self._crawler = crawler
        self._place = config.settings.upload
        self._uploader: Uploader | None = None
        self._loop: Any = None
        crawler.signals.connect(self.opened, signal=signals.spider_opened)
        crawler.signals.connect(self.closed, signal=signals.spider_closed)
        crawler.signals.connect(self.finished, signal=audit_finished)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the extension. Raises NotConfigured if nothing is uploaded."""
        config = config_of(crawler)
        resume = config.arguments.resume
        if not config.settings.upload and not (resume and Link.read(resume)):
            raise NotConfigured
        return cls(crawler, config)

    def opened(self) -> None:
        """Start the upload, once the run has a folder."""
        spider: Any = self._crawler.spider
        if spider.run.error is not None:
            return
        run = spider.run.folder
        link = Link.read(run)
        if link is None:
            link = Link(f"{self._place}/{run.parent.name}/{run.name}", NEW)
            with suppress(OSError):  # The disk is full, which the ledger reports.
                link.write(run)
        self._uploader = Uploader(run, link)
        self._uploader.start()
        self._loop = create_looping_call(self._check)
        self._loop.start(_INTERVAL, now=False)

    def closed(self) -> None:
        """Upload the ledger at once: what ends this process may not wait for the tables."""
        if self._uploader is not None:
            self._loop.stop()
            self._uploader.hurry()

    def finished(self) -> None:
        """Upload the tables, and say whether that succeeded."""
        uploader = self._uploader
        if uploader is None:
            return
        if uploader.finish():
            say(f"Uploaded    {uploader.address}")
        elif uploader.lost is not None:
            logger.error("%s; nothing more is uploaded", uploader.lost)
            self._crawler.stats.set_value(stats.EXIT_STATUS, uploader.lost.exit_status)
        else:
            spider: Any = self._crawler.spider
            logger.error(
                "The run is not uploaded to %s: %s; upload it with resume=%s",
                *(uploader.address, uploader.fault, spider.run.folder),
            )
            self._crawler.stats.set_value(stats.EXIT_STATUS, INCOMPLETE)

    def _check(self) -> None:
        """Stop a run that another process has taken over."""
        if self._uploader is not None and self._uploader.lost is not None:
            self._loop.stop()
            fault = MachineFault(str(self._uploader.lost), "let it end")
            self._crawler.signals.send_catch_log(machine_failed, fault=fault)
