"""The log of a run, in its folder; terminals and schedulers only show problems."""

import logging
from contextlib import suppress
from logging.handlers import MemoryHandler
from pathlib import Path
from typing import Final, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from sitemapaudit.engine.audit_logs import own_records
from sitemapaudit.engine.audits import config_of
from sitemapaudit.runs.durable import sync_file

NAME: Final = "crawl.log"

_EARLY: Final = 10_000
"""The number of lines that are kept until the run has a folder."""


_CORE: Final = logging.getLogger("scrapy.core")


class RunLog:
    """Writes the log to ``crawl.log``: the level INFO, or the lower one of LOG_LEVEL.

    A resumed run appends to it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._early = MemoryHandler(_EARLY, flushLevel=logging.CRITICAL + 1)
        self._file: _File | None = None
        self._level = level_of_log(crawler.settings)
        self._early.setLevel(self._level)
        self._is_own = own_records()
        self._early.addFilter(self._is_own)
        logging.getLogger().addHandler(self._early)
        # Otherwise Scrapy creates a record for each item and response, which no handler uses.
        self._former_level = _CORE.level
        _CORE.setLevel(self._level)
        crawler.signals.connect(self.opened, signal=signals.spider_opened)
        crawler.signals.connect(self.closed, signal=signals.spider_closed)
        crawler.signals.connect(self.stopped, signal=signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the extension; raises NotConfigured if the spider is not an audit."""
        config_of(crawler)
        return cls(crawler)

    def opened(self) -> None:
        """Write the log so far, and everything from now on."""
        logger, spider = logging.getLogger(), self._crawler.spider
        run: Path = spider.run.folder  # type: ignore[union-attr]
        logger.removeHandler(self._early)
        if run.exists():
            self._file = file = _File(run / NAME, encoding="utf-8")
            file.setLevel(self._level)
            file.addFilter(self._is_own)
            file.setFormatter(_formatter(self._crawler.settings))
            logger.addHandler(file)
            self._early.setTarget(file)
        self._early.close()

    def closed(self) -> None:
        """Write the log of a run whose spider was not opened, because a component failed."""
        if self._file is None:
            self.opened()

    def stopped(self) -> None:
        """Close the file."""
        _CORE.setLevel(self._former_level)
        if self._file is not None:
            logging.getLogger().removeHandler(self._file)
            self._file.close()


class _File(logging.FileHandler):
    """A log file; lines are lost if the disk is full, which the ledger reports."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Report nothing."""

    def close(self) -> None:
        """Write every line to the disk, and close the file."""
        with suppress(OSError):
            super().close()
            sync_file(Path(self.baseFilename))


def _formatter(settings: BaseSettings) -> logging.Formatter:
    return logging.Formatter(settings["LOG_FORMAT"], settings["LOG_DATEFORMAT"])


def level_of_log(settings: BaseSettings) -> int:
    """Return the level of the log of a run."""
    level = settings["LOG_LEVEL"]
    number = level if isinstance(level, int) else logging.getLevelNamesMapping()[level]
    return min(number, logging.INFO)
