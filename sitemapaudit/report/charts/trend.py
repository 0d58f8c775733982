"""The trend of a site: the counts of its earlier runs, from their manifests."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from sitemapaudit.items import Verdict
from sitemapaudit.numbers import percent
from sitemapaudit.report.charts.overview_charts import (
    CLASSES,
    PLOT,
    Chart,
    gridlines,
    height_from,
    time_labels,
)
from sitemapaudit.report.charts.svg import bar, group, mark, titled
from sitemapaudit.report.overview import count_states, list_verdicts
from sitemapaudit.report.wording import describe_share
from sitemapaudit.runs.manifest import NAME, Manifest
from sitemapaudit.runs.share import Share
from sitemapaudit.urls.shard import WHOLE

MAX_RUNS: Final = 60
"""Limit for runs in the trend; the newest are kept."""

_UNREADABLE: Final = (OSError, ValueError)


class Moment(Struct, frozen=True):
    """A run in the trend."""

    started: str
    complete: bool
    share: Share
    verdicts: dict[str, int]

    @property
    def day(self) -> str:
        """The day on which it started."""
        return self.started[:10]


def read_trend(run: Path, manifest: Manifest) -> list[Moment]:
    """Return the earlier runs in the same folder and this one, the oldest first.

    Only manifests are read. Shards and runs without judged URLs are skipped.
    """
    earlier = islice(_earlier(run, manifest), MAX_RUNS - 1)
    return [*reversed([*earlier]), _moment(manifest)]


def _earlier(run: Path, manifest: Manifest) -> Iterator[Moment]:
    """Yield the earlier runs, the newest first; the names of folders begin with their time."""
    home = run.resolve().parent
    for folder in sorted(home.iterdir(), reverse=True):
        if folder.name == run.resolve().name or not (folder / NAME).is_file():
            continue
        try:
            other = Manifest.read(folder)
        except _UNREADABLE:
            continue
        whole = other.arguments.get("shard", str(WHOLE)) in (str(WHOLE), "", None)
        if whole and other.share.judged and other.started < manifest.started:
            yield _moment(other)


def _moment(manifest: Manifest) -> Moment:
    verdicts = {row.verdict.value: row.count for row in list_verdicts(manifest)}
    return Moment(manifest.started, manifest.complete, manifest.share, verdicts)


def list_trend_verdicts(moments: Sequence[Moment]) -> list[str]:
    """Return the verdicts in any of the runs, the best first."""
    found = {name for moment in moments for name in moment.verdicts}
    return [verdict.value for verdict in reversed(Verdict) if verdict.value in found]


def build_trend(moments: Sequence[Moment]) -> list[Chart]:
    """Return the charts of several runs: the share as a line, the URLs as columns."""
    if len(moments) < 2 or not any(moment.share.judged for moment in moments[-1:]):
        return []
    first, last = moments[0], moments[-1]
    shares = [percent(moment.share.best_value or 0) for moment in (first, last)]
    days = f"{shares[0]} ({first.day}), {shares[1]} ({last.day})"
    label = f"Share of indexable URLs in {len(moments)} runs: {days}."
    return [
        Chart("trend-share", label, PLOT + 40, group(*_line(moments))),
        Chart(
            "trend-urls",
            f"Listed URLs in {len(moments)} runs: indexable, not indexable, not determined.",
            PLOT + 40,
            group(*_columns(moments)),
        ),
    ]


def _line(moments: Sequence[Moment]) -> Iterator[Markup]:
    """Yield a line from run to run; an incomplete run is hollow."""
    values = [moment.share.best_value or 0 for moment in moments]
    low = min(int(min(values) * 10) / 10, 0.9)
    yield from gridlines([(0, percent(low)), (1, percent(1))])
    places = [
        (f"{x:.3f}%", height_from(PLOT * (value - low) / (1 - low)))
        for x, value in zip(_times(moments), values, strict=True)
    ]
    for (x1, y1), (x2, y2) in pairwise(places):
        yield mark("line", class_="line", x1=x1, y1=y1, x2=x2, y2=y2)
    for (x, y), moment in zip(places, moments, strict=True):
        css = "point" if moment.complete else "point partial"
        title = f"{_time(moment)}: {describe_share(moment.share)}"
        yield titled(title, mark("circle", class_=css, cx=x, cy=y, r=4))
    yield from _labels(moments)


def _times(moments: Sequence[Moment]) -> list[float]:
    """Return the position of each run in time, in percent, with room for its point."""
    seconds = [datetime.fromisoformat(moment.started).timestamp() for moment in moments]
    span = seconds[-1] - seconds[0] or 1
    return [2 + 96 * (each - seconds[0]) / span for each in seconds]


def _columns(moments: Sequence[Moment]) -> Iterator[Markup]:
    """Yield a column for each run, one next to the other."""
    largest = max(moment.share.judged + moment.share.unknown for moment in moments)
    yield from gridlines([(0, "0"), (1, f"{largest:,}")])
    slot = 100 / (len(moments) - 0.2)
    for at, moment in enumerate(moments):
        below, parts = 0.0, []
        for state, count in count_states(moment.share).items():
            height = round(PLOT * count / largest, 1)
            below += height
            if count:
                place = {"x": slot * at, "width": slot * 0.8}
                parts.append(bar(CLASSES[state], y=height_from(below), height=height, **place))
        verdicts = ", ".join(f"{name} {count:,}" for name, count in moment.verdicts.items())
        yield titled(f"{_time(moment)}: {verdicts}", *parts)
    yield from _labels(moments)


def _labels(moments: Sequence[Moment]) -> list[Markup]:
    """Return the first and the last day, or their times if they are the same day."""
    first, last = moments[0], moments[-1]
    if first.day != last.day:
        return time_labels(first.day, last.day)
    return time_labels(_time(first), last.started[11:16])


def _time(moment: Moment) -> str:
    return moment.started.replace("T", " ").replace("Z", " UTC")
