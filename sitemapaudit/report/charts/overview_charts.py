"""Turns figures into charts: SVG that is part of the page."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from markupsafe import Markup
from msgspec import Struct

from sitemapaudit.numbers import count_noun
from sitemapaudit.report.charts.svg import bar, group, mark, titled
from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.figures import Count, Figures, Lastmods
from sitemapaudit.report.overview import Overview, State, count_states

LABEL: Final = 44
"""Limit for the label of a bar, in characters."""

CLASSES: Final = {State.INDEXABLE: "good", State.NOT_INDEXABLE: "bad", State.UNKNOWN: "unknown"}
"""The CSS class of a state: its color, and its pattern if it is not good."""

_ROW: Final = 36
PLOT: Final = 190
"""The height of the plot of a column chart; its labels are below."""


class Chart(Struct, frozen=True):
    """A chart; ``label`` describes it in a sentence. ``linked`` charts contain links."""

    id: str
    label: str
    height: int
    marks: Markup
    linked: bool = False


class Row(Struct, frozen=True):
    """A bar with its label above it."""

    label: str
    count: int
    css: str
    href: str = ""


def build_charts(overview: Overview, figures: Figures) -> list[Chart]:
    """Return all charts of one run that have data, except the treemap."""
    candidates = (
        _states(overview),
        _verdicts(overview),
        _statuses(figures.statuses),
        _targets(figures),
        _lastmods(figures.lastmods),
        _times(figures.times.counts),
    )
    return [chart for chart in candidates if chart]


def _states(overview: Overview) -> Chart | None:
    if not overview.selected:
        return None
    counts = count_states(overview.counts)
    parts = [(str(state), CLASSES[state], count) for state, count in counts.items()]
    return stacked_bar("states", count_noun(overview.selected, "URL"), parts)


def stacked_bar(name: str, whole: str, parts: Sequence[tuple[str, str, int]]) -> Chart:
    """Return a bar of several parts, with their names, classes and counts, which are not all 0."""
    total = sum(count for *_, count in parts)
    marks, start = [], 0.0
    for part, css, count in parts:
        width = 100 * count / total
        filled = bar(css, x=start, y=0, width=width, height=34)
        marks += [titled(f"{part}: {count:,}", filled)] if count else []
        start += width
    values = ", ".join(f"{count:,} {part}" for part, _, count in parts if count)
    return Chart(name, f"Of {whole}: {values}.", 34, group(*marks))


def _verdicts(overview: Overview) -> Chart | None:
    rows = [
        Row(row.verdict, row.count, CLASSES[row.state], f"#verdict={row.verdict}")
        for row in overview.verdicts
        if row.state is not State.INDEXABLE
    ]
    return _bars("verdicts-bars", "Verdicts other than indexable", rows)


def _statuses(counts: Sequence[Count]) -> Chart | None:
    rows = [Row(each.name, each.count, _status_class(each.name)) for each in counts]
    return _bars("statuses", "Responses of listed URLs", rows)


def _status_class(status: str) -> str:
    classes = {"2": "good", "3": "caution", "4": "bad", "5": "bad"}
    return classes.get(status[0], "unknown") if status.isdecimal() else "unknown"


def _targets(figures: Figures) -> Chart | None:
    top = figures.targets[:10]
    if not top or top[0].count == top[-1].count:
        return None
    rows = [
        Row(f"{rank}. {target.url.partition('://')[2] or target.url}", target.count, "caution")
        for rank, target in enumerate(top, start=1)
    ]
    return _bars("targets", "Redirects by target", rows)


def _times(counts: Sequence[Count]) -> Chart | None:
    rows = [Row(f"{each.name} s", each.count, "accent") for each in counts]
    return _bars("times", "Pages by response time", rows) if any(counts_of(rows)) else None


def counts_of(rows: Sequence[Row]) -> list[int]:
    """Return the counts of bars."""
    return [row.count for row in rows]


def _bars(name: str, noun: str, rows: Sequence[Row]) -> Chart | None:
    """Return horizontal bars: each with its label above it, and its value at the right end."""
    if not rows:
        return None
    largest = max(counts_of(rows)) or 1
    marks = []
    for at, row in enumerate(rows):
        y = at * _ROW
        label = mark("text", shorten(row.label, LABEL), y=y + 13)
        value = mark("text", f"{row.count:,}", x="100%", y=y + 13, text_anchor="end")
        whole = mark("rect", class_="whole", y=y, width="100%", height=_ROW)
        filled = bar(row.css, x=0, y=y + 19, width=100 * row.count / largest, height=10)
        marks.append(
            titled(f"{row.label}: {row.count:,}", whole, label, value, filled, href=row.href)
        )
    values = ", ".join(f"{shorten(row.label, LABEL)}: {row.count:,}" for row in rows if row.count)
    linked = any(row.href for row in rows)
    return Chart(name, f"{noun}: {values}.", _ROW * len(rows), group(*marks), linked)


def _lastmods(lastmods: Lastmods) -> Chart | None:
    """Return columns over time, with gaps for periods without URLs."""
    if not lastmods.counts:
        return None
    periods = [_period(each.name, lastmods.unit) for each in lastmods.counts]
    first, slots = periods[0], periods[-1] - periods[0] + 1
    largest = max(each.count for each in lastmods.counts)
    width = max(85 / slots, 0.2)
    marks = [*gridlines([(0, "0"), (1, f"{largest:,}")])]
    for period, each in zip(periods, lastmods.counts, strict=True):
        height = max(round(PLOT * each.count / largest, 1), 1)
        x = min(100 * (period - first) / slots, 100 - width)
        column = bar("accent", x=x, y=height_from(height), width=width, height=height)
        marks.append(titled(f"{_short(each.name, lastmods.unit)}: {each.count:,}", column))
    names = [_short(each.name, lastmods.unit) for each in lastmods.counts]
    marks += time_labels(names[0], names[-1])
    label = f"URLs by {lastmods.unit} of their lastmod, from {names[0]} to {names[-1]}."
    return Chart("lastmods", label, PLOT + 40, group(*marks))


def height_from(height: float) -> float:
    """Return the top of a column of this height."""
    return round(PLOT + 16 - height, 1)


def gridlines(values: Sequence[tuple[float, str]]) -> list[Markup]:
    """Return horizontal lines in the plot, with their values."""
    lines = []
    for part, text in values:
        y = height_from(PLOT * part)
        lines.append(mark("line", class_="grid", x1=0, x2="100%", y1=y, y2=y))
        lines.append(mark("text", text, class_="axis", x=0, y=y - 4))
    return lines


def time_labels(first: str, last: str) -> list[Markup]:
    """Return the first and the last time below the plot."""
    y = PLOT + 34
    start = mark("text", first, class_="axis", x=0, y=y)
    end = mark("text", last, class_="axis", x="100%", y=y, text_anchor="end")
    return [start] if last in ("", first) else [start, end]


def _period(name: str, unit: str) -> int:
    """Return the number of a period that begins at a date."""
    day = date.fromisoformat(name)
    return {"day": day.toordinal(), "month": 12 * day.year + day.month, "year": day.year}[unit]


def _short(name: str, unit: str) -> str:
    return name[: {"day": 10, "month": 7, "year": 4}[unit]]
