"""The progress bar while a terminal looks on, and the summary at the end."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Any, Self

from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text
from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from sitemapaudit.pipelines import (
    DONE_STAT,
    FINDINGS_STAT,
    LISTED_STAT,
    RENDERED_STAT,
    audit_finished,
)
from sitemapaudit.report.summary import summary
from sitemapaudit.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

    from sitemapaudit.datasets.manifest import Manifest

_INTERVAL = 0.2


class Progress:
    """Draws how far a run has come: nothing without a terminal but the summary."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._bar: Bar | None = None
        self._loop = create_looping_call(self._update)
        crawler.signals.connect(self.opened, signal=signals.spider_opened)
        crawler.signals.connect(self.closed, signal=signals.spider_closed)
        crawler.signals.connect(self.finished, signal=audit_finished)
        crawler.signals.connect(self.stopped, signal=signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect to the signals of a crawl."""
        return cls(crawler)

    def opened(self) -> None:
        """Begin to draw, if anybody looks on."""
        console = Terminal(stderr=True)
        if not console.is_terminal:
            return
        self._bar = Bar(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            _Counts(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("asking", total=None)
        self._bar.start()
        _log_through(sys.stderr)
        self._loop.start(_INTERVAL)

    def closed(self) -> None:
        """Say that the tables are being built, which can take a while."""
        if self._bar is not None:
            self._loop.stop()
            self._bar.update(self._task, description="building the tables", total=None)

    def finished(self, run: Path, manifest: Manifest) -> None:
        """Print the summary."""
        self.stopped()
        Terminal().print(summary(run, manifest), highlight=False, crop=False)

    def stopped(self) -> None:
        """Give the terminal back."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            _log_through(sys.stderr)

    def _update(self) -> None:
        value: Any = self._crawler.stats.get_value
        if self._bar is not None:
            self._bar.update(
                self._task,
                completed=value(DONE_STAT, 0),
                total=value(LISTED_STAT) or None,
                findings=value(FINDINGS_STAT, 0),
                entries=value("sitemapaudit/entries", 0),
                rendered=value(RENDERED_STAT, 0),
            )


class _Counts(ProgressColumn):
    """URLs done of URLs listed so far, URLs a second, pages rendered, findings."""

    def render(self, task: Task) -> Text:
        speed = f" · {task.finished_speed or task.speed or 0:,.0f}/s"
        listed = task.total or 0
        findings = task.fields.get("findings", 0)
        if not listed:
            return Text(f"{task.fields.get('entries', 0):,} entries · {findings:,} findings")
        rendered = task.fields.get("rendered", 0)
        shown = f" · {rendered:,} rendered" if rendered else ""
        done = f"{task.completed:,.0f} of {listed:,.0f} URLs{speed}"
        return Text(f"{done}{shown} · {findings:,} findings")


def _log_through(stream: Any) -> None:
    """Send the log where the bar can make room for it: its handlers hold the stream of before."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler) and not isinstance(
            handler, logging.FileHandler
        ):
            handler.setStream(stream)
