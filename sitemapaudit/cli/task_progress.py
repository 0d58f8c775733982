"""The progress of all tasks of an audit on a cluster."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, Final, Self

from msgspec.structs import replace

from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.runs.progress_report import ProgressReport

if TYPE_CHECKING:
    from rich.progress import Progress

    from sitemapaudit.distribution.cluster import Task
    from sitemapaudit.distribution.shard_task import Outcome

INTERVAL: Final = 60.0
"""Seconds between two lines without a terminal."""


class RefusedError(Exception):
    """The arguments of the audit are wrong; the message is its sentence."""


class TaskProgress:
    """A context manager with one bar on a terminal; elsewhere, a line each minute.

    ``listed`` is the number of listed URLs of all tasks, or 0.
    """

    def __init__(self, tasks: int, listed: int = 0) -> None:
        self._tasks = tasks
        self._listed = listed
        self._finished = 0
        self._reports: dict[str, ProgressReport] = {}
        self._said_at = -math.inf
        self._bar: Progress | None = None

    def __enter__(self) -> Self:
        if sys.stderr is not None and sys.stderr.isatty():
            from sitemapaudit.extensions.progress_bar import new_bar  # noqa: PLC0415

            self._bar = new_bar()
            self._row = self._bar.add_task(self._title, total=None)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def end(self, task: Task, outcome: Outcome) -> None:
        """Count a task that is finished. Raises RefusedError."""
        if outcome.refusal:
            raise RefusedError(outcome.refusal)
        self._finished += outcome.finished
        # A task that was finished before this command has reported nothing.
        usual = ProgressReport(listed=self._listed // self._tasks)
        report = self._reports.get(task.name, usual)
        if outcome.finished:
            self._reports[task.name] = replace(report, done=report.listed)
            self._show(always=self._tasks > 1)

    def report(self, task: Task, report: ProgressReport) -> None:
        """Take the progress of a task."""
        self._reports[task.name] = report
        self._show()

    def _show(self, *, always: bool = False) -> None:
        total = self._add_up()
        if self._bar is not None:
            self._bar.update(self._row, description=self._title, **total.fields)
        elif always or time.monotonic() - self._said_at >= INTERVAL:
            self._said_at = time.monotonic()
            urls = f"{total.done:,} of {count_noun(total.listed, 'URL')}"
            read = urls if total.listed else count_noun(total.entries, "entry")
            self.note(f"{self._title} · {read} · {count_noun(total.findings, 'finding')}")

    def note(self, text: str) -> None:
        """Print a sentence; a bar stays below it."""
        say(text, error=True)

    @property
    def _title(self) -> str:
        if not self._listed:
            return "reading the sitemaps"
        return f"{self._finished} of {count_noun(self._tasks, 'shard')} done"

    def _add_up(self) -> ProgressReport:
        reports = [*self._reports.values()]
        listed = sum(report.listed for report in reports)
        if len(reports) < self._tasks or not all(report.all_listed for report in reports):
            listed = self._listed or listed
        done = min(listed, sum(report.done for report in reports))
        return ProgressReport(
            done=listed if self._finished == self._tasks else done,
            listed=listed,
            findings=sum(report.findings for report in reports),
            entries=sum(report.entries for report in reports),
            all_listed=int(self._listed > 0),
        )
