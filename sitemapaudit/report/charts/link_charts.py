"""Charts about links: how many pages can be reached, and how far they are from the home page."""

from collections.abc import Iterator, Sequence
from typing import Final

from markupsafe import Markup

from sitemapaudit.numbers import count_noun
from sitemapaudit.report.charts.overview_charts import PLOT, Chart, height_from, stacked_bar
from sitemapaudit.report.charts.svg import bar, group, mark, titled
from sitemapaudit.report.figures import Count
from sitemapaudit.report.link_figures import NO_WAY, LinkFigures
from sitemapaudit.runs.link_counts import LinkCounts

_UNITS: Final = ((1_000_000, "M"), (1_000, "k"))


def build_link_charts(figures: LinkFigures | None) -> list[Chart]:
    """Return the charts of a run that recorded links."""
    if figures is None:
        return []
    charts = [_reached(figures.counts)] if figures.counts.indexable else []
    return [*charts, _clicks(figures.clicks)] if figures.clicks else charts


def _reached(counts: LinkCounts) -> Chart:
    noun = count_noun(counts.indexable, "listed, indexable page")
    parts = (
        ("can be reached", "good", counts.reachable),
        ("orphans", "bad", counts.orphans),
        ("not determined", "unknown", counts.undetermined),
    )
    return stacked_bar("links-reached", noun, parts)


def _clicks(counts: Sequence[Count]) -> Chart:
    """Return a column per distance; the last one is for pages that cannot be reached."""
    values = ", ".join(f"{each.name}: {each.count:,}" for each in counts)
    label = f"Listed, indexable pages by clicks from the home page: {values}."
    return Chart("links-clicks", label, PLOT + 40, group(*_columns(counts)))


def _columns(counts: Sequence[Count]) -> Iterator[Markup]:
    largest = max(each.count for each in counts) or 1
    slot = 100 / len(counts)
    base = height_from(0)
    for at, each in enumerate(counts):
        height = max(round(PLOT * each.count / largest, 1), 1) if each.count else 0
        middle = f"{slot * (at + 0.5):.3f}%"
        css = "unknown" if each.name == NO_WAY else "accent"
        noun = "click" if each.name == "1" else "clicks"
        name = "no way" if each.name == NO_WAY else f"{each.name} {noun}"
        yield titled(
            f"{name}: {each.count:,}",
            bar(css, x=slot * (at + 0.15), y=base - height, width=slot * 0.7, height=height),
            _text(_brief(each.count), middle, base - height - 4),
            _text(each.name, middle, PLOT + 34),
        )
    yield mark("line", class_="grid", x1=0, x2="100%", y1=base, y2=base)


def _text(text: str, x: str, y: float) -> Markup:
    return mark("text", text, class_="axis", x=x, y=y, text_anchor="middle")


def _brief(number: int) -> str:
    """Return a number that fits above a narrow column: 1200 is 1.2k."""
    for unit, letter in _UNITS:
        if number >= 10 * unit:
            return f"{number // unit}{letter}"
        if number >= unit:
            return f"{number * 10 // unit / 10:g}{letter}"
    return str(number)
