"""``report.html``: one page of a run folder that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import duckdb

from sitemapaudit.comparison.comparing import TABLE as COMPARISON
from sitemapaudit.comparison.comparing import Comparison
from sitemapaudit.datasets.database import view_tables
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.schema import TABLES
from sitemapaudit.datasets.working import work_within
from sitemapaudit.report.change import change_rows, change_since, comparing_rules
from sitemapaudit.report.charts import Chart, charts
from sitemapaudit.report.figures import figures
from sitemapaudit.report.findings import groups, silent
from sitemapaudit.report.markup import render, write_page
from sitemapaudit.report.overview import overview
from sitemapaudit.report.sitemaps import files
from sitemapaudit.report.treemap import SHADES, treemap
from sitemapaudit.report.urls import urls

NAME: Final = "report.html"
MEMORY: Final = 192
"""Megabytes that DuckDB may use to count; doubled where that is not enough."""

_PARTS: Final = ("dom", "charts", "findings", "tables", "changes", "url", "main")


def write_report(
    run: Path, manifest: Manifest, comparison: Comparison | None = None, memory: int = MEMORY
) -> Path:
    """Write the page of a finished run folder, and return its file.

    ``comparison`` is with an earlier run, to tell what changed since.
    """
    values = _counted(run, manifest, comparison, memory)
    file = run / NAME
    write_page(file, render("page.html", values, _PARTS))
    return file


def _counted(
    run: Path, manifest: Manifest, comparison: Comparison | None, memory: int
) -> dict[str, Any]:
    """Return what the template is filled with."""

    def work(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        view_tables(connection, run, [*TABLES, COMPARISON])
        return _values(connection, manifest, comparison)

    return work_within(memory, run, work, "Counting for the report")


def _values(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest, comparison: Comparison | None
) -> dict[str, Any]:
    answer = overview(manifest)
    counted = figures(connection, manifest.started)
    found = groups(connection)
    sitemaps = files(connection)
    shown = urls(connection, found)
    changes = change_rows(connection) if comparison else []
    drawn = [*charts(answer, counted), *filter(None, [treemap(sitemaps)])]
    rows = sitemaps.rows()
    return {
        "answer": answer,
        "change": change_since(comparison, manifest) if comparison else None,
        "figures": counted,
        "found": found,
        "silent": silent(found),
        "sitemaps": sitemaps,
        "sitemaps_shown": len(rows),
        "shades": SHADES,
        "urls_shown": len(shown.shown),
        "changes_shown": len(changes),
        "tables": list(TABLES),
        "comparing": comparing_rules(changes),
        "manifest": manifest,
        "charts": {chart.id: chart for chart in drawn},
        "data": _data(drawn)
        | {
            "changes": changes,
            "sitemaps": rows,
            "examples": {group.rule: group.examples for group in found},
            "urls": shown.shown,
            "meanings": shown.meanings,
            "listed": answer.listed,
        },
    }


def _data(drawn: Iterable[Chart]) -> dict[str, Any]:
    return {
        "charts": {
            chart.id: {"data": chart.data, "layout": chart.layout | {"height": chart.height}}
            for chart in drawn
        }
    }
