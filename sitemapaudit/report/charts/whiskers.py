"""Charts of the estimates of a sample: a bar for each share, with a whisker from low to high."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import duckdb
from markupsafe import Markup
from msgspec import Struct

from sitemapaudit.items import EstimateKind, EstimateScope, Verdict
from sitemapaudit.report.charts.overview_charts import LABEL, Chart
from sitemapaudit.report.charts.svg import bar, group, mark, titled
from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.wording import describe_bounds
from sitemapaudit.runs.sample import Bounds

SHOWN: Final = 20
"""Limit for bars of a chart: the certainly worst places, the certainly most frequent rules."""

_ROW: Final = 40
_NOT_INDEXABLE: Final = ", ".join(
    f"'{verdict}'" for verdict in Verdict if verdict is not Verdict.INDEXABLE
)
_INDEXABLE: Final = f"kind = '{EstimateKind.VERDICT}' and name = '{Verdict.INDEXABLE}'"

_QUERIES: Final[Mapping[str, str]] = {
    "share-bounds": f"where {_INDEXABLE} and scope = '{EstimateScope.ALL}'",
    "verdict-bounds": f"where kind = '{EstimateKind.VERDICT}' and name in ({_NOT_INDEXABLE})"
    f" and scope = '{EstimateScope.ALL}' and found > 0 order by low desc, share desc, name",
    "rule-bounds": f"where kind = '{EstimateKind.RULE}' and scope = '{EstimateScope.ALL}'"
    " and found > 0 order by low desc, share desc, name",
    "template-bounds": f"where {_INDEXABLE} and scope = '{EstimateScope.TEMPLATE}'"
    " order by high, share, place",
    "sitemap-bounds": f"where {_INDEXABLE} and scope = '{EstimateScope.SITEMAP}'"
    " order by high, share, place",
}
"""The rows of each chart, by its id."""

_NOUNS: Final[Mapping[str, str]] = {
    "share-bounds": "Share of indexable URLs",
    "verdict-bounds": "Shares of other verdicts",
    "rule-bounds": "Shares of URLs with a finding of a rule",
    "template-bounds": "Shares of indexable URLs by template",
    "sitemap-bounds": "Shares of indexable URLs by sitemap",
}
_GOOD: Final = frozenset({"share-bounds", "template-bounds", "sitemap-bounds"})
"""The charts in which more is better; their bars end at 100 %."""


class Whisker(Struct, frozen=True):
    """A share with its bounds and its subject."""

    label: str
    bounds: Bounds


def read_estimates(connection: duckdb.DuckDBPyConnection) -> dict[str, list[Whisker]]:
    """Return the rows of each chart, up to a number."""
    rows = {}
    for chart, query in _QUERIES.items():
        found = connection.execute(
            f"select coalesce(place, name), share, low, high from estimates {query} limit {SHOWN}"
        ).fetchall()
        rows[chart] = [Whisker(label, Bounds(*numbers)) for label, *numbers in found]
    return rows


def build_whiskers(charts: Mapping[str, Sequence[Whisker]]) -> list[Chart]:
    """Return the charts that have rows."""
    return [_chart(name, rows) for name, rows in charts.items() if rows]


def _chart(name: str, rows: Sequence[Whisker]) -> Chart:
    good = name in _GOOD
    whole = 1.0 if good else max(row.bounds.high for row in rows) or 1.0
    marks = [_row(row, at * _ROW, whole, "good" if good else "bad") for at, row in enumerate(rows)]
    values = ", ".join(
        f"{shorten(row.label, LABEL)}: {describe_bounds(row.bounds)}" for row in rows
    )
    return Chart(name, f"{_NOUNS[name]}: {values}.", _ROW * len(rows), group(*marks))


def _row(row: Whisker, y: float, whole: float, css: str) -> Markup:
    """Return a label, the share as text, and its bar with the whisker over it."""
    text = describe_bounds(row.bounds)
    low, high = (100 * share / whole for share in (row.bounds.low, row.bounds.high))
    filled = bar(css, x=0, y=y + 20, width=100 * (row.bounds.share or 0) / whole, height=10)
    return titled(
        f"{row.label}: {text}",
        mark("rect", class_="whole", y=y, width="100%", height=_ROW),
        mark("text", shorten(row.label, LABEL), y=y + 13),
        mark("text", text, x="100%", y=y + 13, text_anchor="end"),
        filled,
        *_whisker([(low, y + 25, high, y + 25), (low, y + 19, low, y + 31)]),
        *_whisker([(high, y + 19, high, y + 31)]),
    )


def _whisker(lines: Iterable[tuple[float, float, float, float]]) -> list[Markup]:
    """Return lines; horizontal positions are in percent."""
    return [
        mark("line", class_="whisker", x1=f"{x1:.3f}%", y1=y1, x2=f"{x2:.3f}%", y2=y2)
        for x1, y1, x2, y2 in lines
    ]
