"""``report.html``: one page of a run folder that needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Final

import duckdb
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from sitemapaudit.comparison.comparing import TABLE as COMPARISON
from sitemapaudit.comparison.comparing import Comparison
from sitemapaudit.datasets.database import view_tables
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.datasets.schema import TABLES
from sitemapaudit.datasets.working import work_within
from sitemapaudit.items import Severity
from sitemapaudit.report.change import change_rows, change_since, comparing_rules
from sitemapaudit.report.charts import Chart, charts
from sitemapaudit.report.embedding import embedded
from sitemapaudit.report.figures import figures
from sitemapaudit.report.findings import groups, silent
from sitemapaudit.report.libraries import Libraries, libraries
from sitemapaudit.report.overview import overview
from sitemapaudit.report.sitemaps import files
from sitemapaudit.report.treemap import SHADES, treemap
from sitemapaudit.report.urls import urls
from sitemapaudit.report.wording import counted, percent, seconds

NAME: Final = "report.html"
MEMORY: Final = 192
"""Megabytes that DuckDB may use to count; doubled where that is not enough."""

_ASSETS: Final = resources("sitemapaudit.report") / "assets"
_STYLES: Final = ("report.css",)
_PARTS: Final = ("dom", "charts", "findings", "tables", "changes", "url", "main")


def write_report(
    run: Path, manifest: Manifest, comparison: Comparison | None = None, memory: int = MEMORY
) -> Path:
    """Write the page of a finished run folder, and return its file.

    ``comparison`` is with an earlier run, to tell what changed since.
    """
    values = _counted(run, manifest, comparison, memory)
    file = run / NAME
    draft = file.with_suffix(".new")
    try:
        # A text of the site can hold half of a surrogate pair, which UTF-8 cannot say.
        draft.write_bytes(_render(values).encode(errors="replace"))
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
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


def _render(values: dict[str, Any]) -> str:
    environment = Environment(
        loader=PackageLoader("sitemapaudit.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    # What ``embedded`` returns cannot end the element that holds it.
    environment.filters["embedded"] = lambda data: Markup(embedded(data))  # noqa: S704
    environment.filters |= {
        "percent": percent,
        "number": "{:,}".format,
        "seconds": seconds,
        "counted": counted,
    }
    environment.globals["severities"] = list(reversed(Severity))
    library = libraries()
    css = library.css + _assets(_STYLES)
    script = _assets(f"{part}.js" for part in _PARTS)
    return environment.get_template("page.html").render(
        values,
        policy=_policy(library, css, script),
        library=library,
        css=Markup(css),  # noqa: S704 - our own
        scripts=[Markup(each) for each in (library.plotly,)],  # noqa: S704 - a library
        modules=[Markup(each) for each in (library.datatables, script)],  # noqa: S704
    )


def _assets(names: Iterable[str]) -> str:
    return "\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in names)


def _policy(library: Libraries, css: str, script: str) -> str:
    """Return a Content-Security-Policy: these scripts and styles, and nothing else at all.

    The style that is allowed beside is the empty one, which Plotly fills rule by rule.
    """
    scripts = " ".join(map(_hash, (library.plotly, library.datatables, script)))
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_hash(css)} {_hash('')};"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
