"""Figures → charts, as Plotly draws them.

A colour is the name of a property of the style sheet (``--good``): the page puts in its
value, in light and in dark. Text goes through ``plain``, since Plotly reads some markup.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sitemapaudit.report.embedding import cut
from sitemapaudit.report.figures import Count, Figures
from sitemapaudit.report.overview import Overview, State

LABEL: Final = 44
"""Characters of a label beside a bar."""

_LOOKS: Final = {
    State.INDEXABLE: ("--good", ""),
    State.NOT_INDEXABLE: ("--bad", "/"),
    State.NOT_KNOWN: ("--unknown", "."),
}
"""The colour of a state and its pattern: no state is told by colour alone."""


@dataclass(slots=True, frozen=True)
class Chart:
    """A chart: what Plotly is to draw, and what it shows in a sentence."""

    id: str
    label: str
    height: int
    data: list[dict[str, Any]]
    layout: dict[str, Any]


def plain(text: str, width: int = LABEL) -> str:
    """Return a text of the site, of which Plotly takes nothing for markup."""
    return html.escape(cut(text, width), quote=False)


def charts(answer: Overview, figures: Figures) -> list[Chart]:
    """Return the charts of which there is something to show; the treemap is another's."""
    every = (
        _states(answer),
        _verdicts(answer),
        _statuses(figures.statuses),
        _targets(figures),
        _lastmods(figures),
        _times(figures.times.counts),
    )
    return [chart for chart in every if chart]


def _states(answer: Overview) -> Chart | None:
    numbers = {
        State.INDEXABLE: answer.indexable,
        State.NOT_INDEXABLE: answer.not_indexable,
        State.NOT_KNOWN: answer.not_known,
    }
    if not answer.asked:
        return None
    bars = [
        _bar([number], [""], *_LOOKS[state])
        | {"text": [], "hovertemplate": f"{state}: %{{x:,}}<extra></extra>"}
        for state, number in numbers.items()
        if number
    ]
    told = ", ".join(f"{number:,} {state}" for state, number in numbers.items() if number)
    layout = {
        "barmode": "stack",
        "xaxis": {"visible": False, "range": [0, answer.asked]},
        "yaxis": {"visible": False},
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "bargap": 0,
    }
    return Chart("states", f"Of {answer.asked:,} URLs: {told}.", 34, bars, layout)


def _verdicts(answer: Overview) -> Chart | None:
    rows = [row for row in answer.verdicts if row.state is not State.INDEXABLE]
    if not rows:
        return None
    bars = [
        _bar(
            [row.number for row in rows if row.state is state],
            [row.verdict for row in rows if row.state is state],
            *_LOOKS[state],
        )
        for state in (State.NOT_INDEXABLE, State.NOT_KNOWN)
    ]
    told = ", ".join(f"{row.verdict} {row.number:,}" for row in rows)
    layout = _horizontal([row.verdict for row in rows]) | {"barmode": "stack"}
    return Chart(
        "verdicts-bars", f"Verdicts other than indexable: {told}.", _tall(rows), bars, layout
    )


def _statuses(counts: Sequence[Count]) -> Chart | None:
    if not counts:
        return None
    colours = [_colour_of(count.name) for count in counts]
    names = [plain(count.name) for count in counts]
    bars = _bar([count.number for count in counts], names, colours)
    told = ", ".join(f"{count.name}: {count.number:,}" for count in counts)
    return Chart(
        "statuses", f"Answers of listed URLs: {told}.", _tall(counts), [bars], _horizontal(names)
    )


def _colour_of(answer: str) -> str:
    kinds = {"2": "--good", "3": "--warning", "4": "--bad", "5": "--bad"}
    return kinds.get(answer[0], "--unknown") if answer.isdecimal() else "--unknown"


def _targets(figures: Figures) -> Chart | None:
    shown = figures.targets[:10]
    if not shown or shown[0].number == shown[-1].number:
        return None
    names = [f"{at}. {plain(_path(target.url))}" for at, target in enumerate(shown, start=1)]
    bars = _bar([target.number for target in shown], names, "--warning")
    label = f"Redirects by target: the first leads {shown[0].number:,} URLs to one address."
    return Chart("targets", label, _tall(shown), [bars], _horizontal(names))


def _path(url: str) -> str:
    """Return an address without its scheme."""
    return url.partition("://")[2] or url


def _lastmods(figures: Figures) -> Chart | None:
    lastmods = figures.lastmods
    if not lastmods.counts:
        return None
    first, last = lastmods.counts[0].name, lastmods.counts[-1].name
    bars = _column(lastmods.counts, "--accent")
    layout = {
        "xaxis": {"type": "date", "showgrid": False, "tickcolor": "--line"},
        "yaxis": _numbers(),
        "bargap": 0.15,
    }
    label = f"URLs by the {lastmods.unit} of their lastmod, from {first} to {last}."
    return Chart("lastmods", label, 260, [bars], layout)


def _times(counts: Sequence[Count]) -> Chart | None:
    if not any(count.number for count in counts):
        return None
    told = ", ".join(f"{count.name}: {count.number:,}" for count in counts if count.number)
    names = [f"{count.name} s" for count in counts]
    bars = _bar([count.number for count in counts], names, "--accent")
    label = f"Pages by seconds until they answered: {told}."
    return Chart("times", label, _tall(counts), [bars], _horizontal(names))


def _bar(
    numbers: Sequence[int], names: Sequence[str], colour: str | list[str], pattern: str = ""
) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "x": list(numbers),
        "y": list(names),
        "text": [f"{number:,}" for number in numbers],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{y}: %{x:,}<extra></extra>",
        "marker": {
            "color": colour,
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


def _column(counts: Iterable[Count], colour: str) -> dict[str, Any]:
    shown = list(counts)
    return {
        "type": "bar",
        "x": [count.name for count in shown],
        "y": [count.number for count in shown],
        "hovertemplate": "%{x}: %{y:,}<extra></extra>",
        "marker": {"color": colour},
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


def _numbers() -> dict[str, Any]:
    return {"gridcolor": "--line", "rangemode": "tozero", "automargin": True, "tickformat": ",d"}


def _tall(rows: Sequence[Any]) -> int:
    return 32 * len(rows) + 8
