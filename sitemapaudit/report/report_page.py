"""Writes ``report.html``, the self-contained report of a run folder, and ``report.md``."""

from pathlib import Path
from typing import Any, Final

import duckdb

from sitemapaudit.comparison.comparing import TABLE as COMPARISON
from sitemapaudit.comparison.comparing import Comparison
from sitemapaudit.datasets.database import load_tables
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.items.schema import ESTIMATES, ORPHANS, TABLES, UNLISTED
from sitemapaudit.report.actions import list_actions
from sitemapaudit.report.agent_figures import count_agent_figures
from sitemapaudit.report.brand import Brand
from sitemapaudit.report.changes_since import count_changes, list_comparison_rules, read_changes
from sitemapaudit.report.charts.link_charts import build_link_charts
from sitemapaudit.report.charts.overview_charts import build_charts
from sitemapaudit.report.charts.treemap import SHADES, build_treemap
from sitemapaudit.report.charts.trend import Moment, build_trend, list_trend_verdicts, read_trend
from sitemapaudit.report.charts.whiskers import build_whiskers, read_estimates
from sitemapaudit.report.figures import MAX_TIMED, PERCENTILES, count_figures
from sitemapaudit.report.finding_groups import group_findings, list_silent_rules
from sitemapaudit.report.link_figures import count_link_figures
from sitemapaudit.report.markdown_report import write_markdown
from sitemapaudit.report.markup import render, write_page
from sitemapaudit.report.overview import build_overview
from sitemapaudit.report.sitemap_files import read_files
from sitemapaudit.report.url_facts import read_urls
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.remarks import remarks
from sitemapaudit.schema_version import SCHEMA_VERSION

NAME: Final = "report.html"
MEMORY: Final = 112
"""Megabytes that DuckDB may use for counting, doubled if that is too little."""

_PARTS: Final = (
    "dom", "table", "findings", "filters", "sitemaps", "urls", "csv", "changes", "url", "main",
)  # fmt: skip

_PLAIN: Final = Brand()


def write_report(
    run: Path,
    manifest: Manifest,
    rules: Catalog,
    comparison: Comparison | None = None,
    memory: int = MEMORY,
    brand: Brand = _PLAIN,
) -> Path:
    """Write the report of a finished run folder, as a page and as text; return the page.

    With ``comparison``, it includes the changes since an earlier run.
    """
    values = _template_values(run, manifest, rules, comparison, memory)
    values["brand"] = brand
    file = run / NAME
    write_page(file, render("page.html", values, _PARTS, more_css=brand.css))
    write_markdown(run, manifest, values["groups"], values["actions"])
    return file


def _template_values(
    run: Path, manifest: Manifest, rules: Catalog, comparison: Comparison | None, memory: int
) -> dict[str, Any]:
    """Return the values of the template."""

    def work(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
        tables = [*TABLES, ORPHANS, UNLISTED, COMPARISON, ESTIMATES]
        load_tables(connection, run, tables)
        trend = read_trend(run, manifest)
        return _read_values(connection, manifest, rules, comparison, trend)

    return run_with_memory_limit(memory, run, work, "Counting for the report")


def _read_values(
    connection: duckdb.DuckDBPyConnection,
    manifest: Manifest,
    rules: Catalog,
    comparison: Comparison | None,
    trend: list[Moment],
) -> dict[str, Any]:
    overview = build_overview(manifest)
    figures = count_figures(connection, manifest.started)
    links = count_link_figures(connection, manifest.links)
    groups = group_findings(connection, rules, of_build=bool(manifest.build_hosts))
    sitemaps = read_files(connection)
    urls = read_urls(connection, groups)
    changes = read_changes(connection) if comparison else []
    charts = [
        *build_charts(overview, figures),
        *build_trend(trend),
        *filter(None, [build_treemap(sitemaps)]),
        *(
            build_whiskers(read_estimates(connection))
            if manifest.sample and manifest.sample.is_part
            else []
        ),
        *build_link_charts(links),
    ]
    sitemap_rows = sitemaps.rows()
    return {
        "overview": overview,
        "actions": list_actions(connection, rules, manifest),
        "trend": trend,
        "trend_verdicts": list_trend_verdicts(trend),
        "percentiles": [f"{each} %" for each in PERCENTILES],
        "max_timed": MAX_TIMED,
        "changes": count_changes(comparison, manifest, rules) if comparison else None,
        "figures": figures,
        "links": links,
        "agents": count_agent_figures(connection, manifest),
        "groups": groups,
        "silent_rules": list_silent_rules(groups, rules),
        "sitemap_count": sitemaps.count,
        "sitemaps_included": len(sitemap_rows),
        "shades": SHADES,
        "urls_included": len(urls.rows),
        "changes_included": len(changes),
        "tables": list(TABLES),
        "comparison_rules": list_comparison_rules(changes, rules),
        "manifest": manifest,
        "remarks": remarks(manifest),
        "charts": {chart.id: chart for chart in charts},
        "data": {
            "schema_version": SCHEMA_VERSION,
            "changes": changes,
            "sitemaps": sitemap_rows,
            "examples": {group.rule: group.examples for group in groups},
            "urls": urls.rows,
            "meanings": urls.meanings,
            "listed": overview.listed,
        },
    }
