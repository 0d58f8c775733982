"""The progress bar on a terminal, long waits elsewhere, and the summary at the end."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.signals import audit_finished
from sitemapaudit.runs import stats
from sitemapaudit.runs.audit_run import BUILDING
from sitemapaudit.runs.progress_report import ProgressReport, listeners

if TYPE_CHECKING:  # What shows a summary is imported while results are built.
    from rich.console import RenderableType
    from rich.progress import Progress as Bar

logger = logging.getLogger(__name__)

_INTERVAL: Final = 0.2

LONG_WAIT: Final = 3
"""Seconds after which the bar names a robots.txt or a sitemap that does not arrive."""

LOGGED_WAIT: Final = 10
"""Seconds after which the log does, without a terminal."""

_COUNTS: Final = {
    "done": stats.DONE,
    "listed": stats.LISTED,
    "findings": stats.FINDINGS,
    "entries": stats.ENTRIES,
    "all_listed": stats.ALL_LISTED,
}


class Progress:
    """Draws the progress of a run on a terminal, and prints the summary.

    Without a terminal, the log names each robots.txt and sitemap that does not arrive for long,
    and the listeners of this process get the counts.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._bar: Bar | None = None
        self._loop: Any = None
        self._logged = ""
        self._reported = ProgressReport()
        crawler.signals.connect(self.opened, signal=signals.spider_opened)
        crawler.signals.connect(self.closed, signal=signals.spider_closed)
        crawler.signals.connect(self.finished, signal=audit_finished)
        crawler.signals.connect(self.stopped, signal=signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the extension. Raises NotConfigured if the spider is not an audit."""
        config_of(crawler)
        return cls(crawler)

    def opened(self) -> None:
        """Start the progress bar if standard error is a terminal."""
        # Scrapy Cloud replaces it by an object without this method.
        if not getattr(sys.stderr, "isatty", bool)():
            self._loop = create_looping_call(self._watch)
            self._loop.start(LOGGED_WAIT / 5, now=False)
            self._report()
            return
        from sitemapaudit.extensions.progress_bar import new_bar  # noqa: PLC0415

        self._bar = new_bar()
        self._task = self._bar.add_task("starting", total=None)
        self._bar.start()
        _log_through(sys.stderr)
        self._loop = create_looping_call(self._update)
        self._loop.start(_INTERVAL)

    def closed(self) -> None:
        """Show that the tables are being built, which can take a while."""
        if self._loop is not None:
            self._loop.stop()
        self._report()
        if self._bar is not None:
            self._bar.update(self._task, description=BUILDING, total=None)

    def finished(self, summary: RenderableType | None) -> None:
        """Print the summary, if there is one."""
        from sitemapaudit.report.terminal import Terminal  # noqa: PLC0415

        self.stopped()
        if summary is not None:
            Terminal().print(summary, highlight=False, crop=False)

    def stopped(self) -> None:
        """Remove the progress bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            _log_through(sys.stderr)

    def log_wait(self) -> None:
        """Log what does not arrive for long, once."""
        spider: Any = self._crawler.spider
        url, seconds = spider.run.longest_wait()
        if seconds >= LOGGED_WAIT and url != self._logged:
            self._logged = url
            logger.warning("Waiting for %s, which has not arrived for %.0f seconds", url, seconds)

    def _watch(self) -> None:
        self.log_wait()
        self._report()

    def _report(self) -> None:
        report = self._read_counts()
        if report != self._reported:
            self._reported = report
            for listener in listeners:
                listener(report)

    def _read_counts(self) -> ProgressReport:
        value: Any = self._crawler.stats.get_value
        spider: Any = self._crawler.spider
        counts = {field: value(stat, 0) for field, stat in _COUNTS.items()}
        return ProgressReport(**counts, run=str(spider.run.folder.absolute()))

    def _update(self) -> None:
        spider: Any = self._crawler.spider
        if self._bar is not None:
            self._bar.update(
                self._task,
                description=_describe_phase(spider.run.phase, *spider.run.longest_wait()),
                rendered=self._crawler.stats.get_value(stats.RENDERED, 0),
                **self._read_counts().fields,
            )


def _describe_phase(phase: str, url: str, seconds: float) -> str:
    return f"{phase} · waiting for {url} ({seconds:.0f} s)" if seconds >= LONG_WAIT else phase


def _log_through(stream: Any) -> None:
    """Send the log to a stream that makes room for the bar; its handlers still use the old one."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler) and not isinstance(
            handler, logging.FileHandler
        ):
            handler.setStream(stream)
