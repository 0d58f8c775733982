"""The progress bar on a terminal, and the summary at the end."""

from __future__ import annotations

import logging
import math
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text
from scrapy import signals
from scrapy.utils.asyncio import create_looping_call

from sitemapaudit.crawling import stats
from sitemapaudit.crawling.signals import audit_finished
from sitemapaudit.report.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

    from sitemapaudit.runs.manifest import Manifest

_INTERVAL = 0.2


class _Unit(NamedTuple):
    """A unit of the time left, and the number of seconds below which it is used."""

    name: str
    seconds: int
    below: float


_UNITS: Final = (_Unit("s", 1, 90), _Unit("min", 60, 5_400), _Unit("h", 3_600, math.inf))


class Progress:
    """Draws the progress of a run on a terminal; elsewhere it prints only the summary."""

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
        """Create the extension and connect it to the signals of a crawl."""
        return cls(crawler)

    def opened(self) -> None:
        """Start the progress bar if standard error is a terminal."""
        console = Terminal(stderr=True)
        if not console.is_terminal:
            return
        self._bar = Bar(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            Counts(),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task("fetching", total=None)
        self._bar.start()
        _log_through(sys.stderr)
        self._loop.start(_INTERVAL)

    def closed(self) -> None:
        """Show that the tables are being built, which can take a while."""
        if self._bar is not None:
            self._loop.stop()
            self._bar.update(self._task, description="building the tables", total=None)

    def finished(self, run: Path, manifest: Manifest) -> None:
        """Print the summary."""
        from sitemapaudit.report.summary import summary  # noqa: PLC0415

        self.stopped()
        Terminal().print(summary(run, manifest), highlight=False, crop=False)

    def stopped(self) -> None:
        """Remove the progress bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
            _log_through(sys.stderr)

    def _update(self) -> None:
        value: Any = self._crawler.stats.get_value
        if self._bar is not None:
            self._bar.update(
                self._task,
                completed=value(stats.DONE, 0),
                total=value(stats.LISTED) or None,
                findings=value(stats.FINDINGS, 0),
                entries=value(stats.ENTRIES, 0),
                rendered=value(stats.RENDERED, 0),
                all_listed=bool(value(stats.ALL_LISTED, 0)),
            )


class Counts(ProgressColumn):
    """URLs fetched and listed so far, per second, the time left, pages rendered, findings."""

    def render(self, task: Task) -> Text:
        """Return the text beside the bar."""
        speed = f" · {task.finished_speed or task.speed or 0:,.0f}/s"
        listed = task.total or 0
        findings = task.fields.get("findings", 0)
        if not listed:
            return Text(f"{task.fields.get('entries', 0):,} entries · {findings:,} findings")
        number = task.fields.get("rendered", 0)
        rendered = f" · {number:,} rendered" if number else ""
        done = f"{task.completed:,.0f} of {listed:,.0f} URLs{speed}"
        return Text(f"{done}{_describe_time_left(task)}{rendered} · {findings:,} findings")


def _describe_time_left(task: Task) -> str:
    """Return the time remaining at the present speed; more sitemaps can add to it."""
    left = task.time_remaining
    if not left:
        return ""
    units = next(unit for unit in _UNITS if left < unit.below)
    least = "" if task.fields.get("all_listed") else "over "
    return f" · {least}{max(round(left / units.seconds), 1):,} {units.name} left"


def _log_through(stream: Any) -> None:
    """Send the log to a stream that makes room for the bar; its handlers hold the earlier one."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler) and not isinstance(
            handler, logging.FileHandler
        ):
            handler.setStream(stream)
