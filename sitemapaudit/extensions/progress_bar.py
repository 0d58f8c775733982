"""The progress bar while pages are fetched."""

import math
from typing import Final, NamedTuple

from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.text import Text

from sitemapaudit.numbers import count_noun
from sitemapaudit.report.terminal import Terminal


class _Unit(NamedTuple):
    """A unit of the time left, and the seconds below which it is used."""

    name: str
    seconds: int
    below: float


_UNITS: Final = (_Unit("s", 1, 90), _Unit("min", 60, 5_400), _Unit("h", 3_600, math.inf))


def new_bar() -> Progress:
    """Return a bar on standard error that disappears at its end."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        Counts(),
        console=Terminal(stderr=True),
        transient=True,
    )


class Counts(ProgressColumn):
    """URLs fetched and listed so far, per second, the time left, pages rendered, findings."""

    def render(self, task: Task) -> Text:
        """Return the text next to the bar."""
        speed = f" · {task.finished_speed or task.speed or 0:,.0f}/s"
        listed = task.total or 0
        findings = count_noun(task.fields.get("findings", 0), "finding")
        if not listed:
            entries = count_noun(task.fields.get("entries", 0), "entry")
            return Text(f"{entries} · {findings}")
        number = task.fields.get("rendered", 0)
        rendered = f" · {number:,} rendered" if number else ""
        done = f"{task.completed:,.0f} of {count_noun(round(listed), 'URL')}{speed}"
        return Text(f"{done}{_describe_time_left(task)}{rendered} · {findings}")


def _describe_time_left(task: Task) -> str:
    """Return the time left at the current speed; more sitemaps can add to it."""
    left = task.time_remaining
    if not left:
        return ""
    units = next(unit for unit in _UNITS if left < unit.below)
    least = "" if task.fields.get("all_listed") else "over "
    return f" · {least}{max(round(left / units.seconds), 1):,} {units.name} left"
