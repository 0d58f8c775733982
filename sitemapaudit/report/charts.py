"""Turns figures into charts for Plotly.

A color is the name of a property of the style sheet (``--good``): the script of the page inserts
its value, for the light or the dark scheme. Text goes through ``plain`` because Plotly interprets
some markup.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.figures import Count, Figures
from sitemapaudit.report.overview import Overview, State

LABEL: Final = 44
"""Characters of the label of a bar."""

_LOOKS: Final = {
    State.INDEXABLE: ("--good", ""),
    State.NOT_INDEXABLE: ("--bad", "/"),
    State.UNKNOWN: ("--unknown", "."),
}
"""The color and the pattern of a state: no state is shown by color alone."""


@dataclass(slots=True, frozen=True)
class Chart:
    """A chart for Plotly; ``label`` describes it in a sentence."""

    id: str
    label: str
    height: int
    data: list[dict[str, Any]]
    layout: dict[str, Any]


def plain(text: str, width: int = LABEL) -> str:
    """Return a text of the site, escaped so that Plotly finds no markup in it."""
    return html.escape(shorten(text, width), quote=False)


def build_charts(overview: Overview, figures: Figures) -> list[Chart]:
    """Return all charts that have data, except the treemap."""
    candidates = (
        _states(overview),
        _verdicts(overview),
        _statuses(figures.statuses),
        _targets(figures),
        _lastmods(figures),
        _times(figures.times.counts),
    )
    return [chart for chart in candidates if chart]


def _states(overview: Overview) -> Chart | None:
    counts = {
        State.INDEXABLE: overview.indexable,
        State.NOT_INDEXABLE: overview.not_indexable,
        State.UNKNOWN: overview.unknown,
    }
    if not overview.selected:
        return None
    bars = [
        _bar([count], [""], *_LOOKS[state])
        | {"text": [], "hovertemplate": f"{state}: %{{x:,}}<extra></extra>"}
        for state, count in counts.items()
        if count
    ]
    values = ", ".join(f"{count:,} {state}" for state, count in counts.items() if count)
    layout = {
        "barmode": "stack",
        "xaxis": {"visible": False, "range": [0, overview.selected]},
        "yaxis": {"visible": False},
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "bargap": 0,
    }
    return Chart("states", f"Of {overview.selected:,} URLs: {values}.", 34, bars, layout)


def _verdicts(overview: Overview) -> Chart | None:
    rows = [row for row in overview.verdicts if row.state is not State.INDEXABLE]
    if not rows:
        return None
    bars = [
        _bar(
            [row.count for row in rows if row.state is state],
            [row.verdict for row in rows if row.state is state],
            *_LOOKS[state],
        )
        for state in (State.NOT_INDEXABLE, State.UNKNOWN)
    ]
    values = ", ".join(f"{row.verdict} {row.count:,}" for row in rows)
    layout = _horizontal([row.verdict for row in rows]) | {"barmode": "stack"}
    return Chart(
        "verdicts-bars", f"Verdicts other than indexable: {values}.", _height(rows), bars, layout
    )


def _statuses(counts: Sequence[Count]) -> Chart | None:
    if not counts:
        return None
    colors = [_status_color(count.name) for count in counts]
    names = [plain(count.name) for count in counts]
    bars = _bar([count.count for count in counts], names, colors)
    values = ", ".join(f"{count.name}: {count.count:,}" for count in counts)
    return Chart(
        "statuses",
        f"Responses of listed URLs: {values}.",
        _height(counts),
        [bars],
        _horizontal(names),
    )


def _status_color(status: str) -> str:
    colors = {"2": "--good", "3": "--warning", "4": "--bad", "5": "--bad"}
    return colors.get(status[0], "--unknown") if status.isdecimal() else "--unknown"


def _targets(figures: Figures) -> Chart | None:
    top = figures.targets[:10]
    if not top or top[0].count == top[-1].count:
        return None
    names = [
        f"{rank}. {plain(_without_scheme(target.url))}" for rank, target in enumerate(top, start=1)
    ]
    bars = _bar([target.count for target in top], names, "--warning")
    label = f"Redirects by target: {top[0].count:,} URLs redirect to the most frequent one."
    return Chart("targets", label, _height(top), [bars], _horizontal(names))


def _without_scheme(url: str) -> str:
    return url.partition("://")[2] or url


def _lastmods(figures: Figures) -> Chart | None:
    lastmods = figures.lastmods
    if not lastmods.counts:
        return None
    first, last = lastmods.counts[0].name, lastmods.counts[-1].name
    bars = _column(lastmods.counts, "--accent")
    layout = {
        "xaxis": {"type": "date", "showgrid": False, "tickcolor": "--line"},
        "yaxis": _count_axis(),
        "bargap": 0.15,
    }
    label = f"URLs by {lastmods.unit} of their lastmod, from {first} to {last}."
    return Chart("lastmods", label, 260, [bars], layout)


def _times(counts: Sequence[Count]) -> Chart | None:
    if not any(count.count for count in counts):
        return None
    values = ", ".join(f"{count.name}: {count.count:,}" for count in counts if count.count)
    names = [f"{count.name} s" for count in counts]
    bars = _bar([count.count for count in counts], names, "--accent")
    label = f"Pages by response time in seconds: {values}."
    return Chart("times", label, _height(counts), [bars], _horizontal(names))


def _bar(
    values: Sequence[int], names: Sequence[str], color: str | list[str], pattern: str = ""
) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "x": list(values),
        "y": list(names),
        "text": [f"{value:,}" for value in values],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{y}: %{x:,}<extra></extra>",
        "marker": {
            "color": color,
            "pattern": {
                "shape": pattern,
                "size": 6,
                "solidity": 0.25,
                "fillmode": "overlay",
                "fgcolor": "--card",
                "fgopacity": 0.8,
            },
        },
    }


def _column(counts: Sequence[Count], color: str) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": [count.name for count in counts],
        "y": [count.count for count in counts],
        "hovertemplate": "%{x}: %{y:,}<extra></extra>",
        "marker": {"color": color},
    }


def _horizontal(names: Sequence[str]) -> dict[str, Any]:
    return {
        "xaxis": {"visible": False},
        "yaxis": {
            "type": "category",
            "categoryorder": "array",
            "categoryarray": list(names),
            "autorange": "reversed",
            "automargin": True,
            "ticksuffix": "  ",
        },
        "margin": {"l": 0, "r": 64, "t": 0, "b": 0},
        "bargap": 0.35,
    }


def _count_axis() -> dict[str, Any]:
    return {"gridcolor": "--line", "rangemode": "tozero", "automargin": True, "tickformat": ",d"}


def _height(rows: Sequence[Any]) -> int:
    return 32 * len(rows) + 8
