"""Draws the results of ``scale.py``: time, memory and disk by number of URLs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from scale_data import READING, REPORT, TABLES, Audited

# The palette of Okabe and Ito is safe for color-blind readers; markers and lines differ as well.
_STYLES = (
    {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    {"color": "#d55e00", "marker": "s", "linestyle": "--"},
    {"color": "#009e73", "marker": "^", "linestyle": "-."},
    {"color": "#555555", "marker": "D", "linestyle": ":"},
)

Line = tuple[str, Callable[[Audited], float]]

_TIME: Sequence[Line] = (
    ("whole command", lambda row: row.audit.seconds),
    ("reading", lambda row: row.audit.phases[READING].seconds),
    ("tables and rules", lambda row: row.audit.phases[TABLES].seconds),
    ("report.html", lambda row: row.audit.phases[REPORT].seconds),
)
_TIME_PER_URL: Sequence[Line] = (
    ("wall time", lambda row: row.audit.seconds / row.urls * 1e6),
    ("CPU time", lambda row: row.audit.cpu_seconds / row.urls * 1e6),
    ("CPU time of scrapy report", lambda row: row.report.cpu_seconds / row.urls * 1e6),
)
_MEMORY: Sequence[Line] = (
    ("reading", lambda row: row.audit.phases[READING].megabytes),
    ("tables and rules", lambda row: row.audit.phases[TABLES].megabytes),
    ("scrapy report", lambda row: row.report.megabytes),
)
_DISK: Sequence[Line] = (
    ("ledger", lambda row: row.disk["ledger"] / row.urls),
    ("CSV", lambda row: row.disk["CSV"] / row.urls),
    ("Parquet", lambda row: row.disk["Parquet"] / row.urls),
    ("temporary, during the build", lambda row: row.audit.spilled / row.urls),
)


def draw(rows: Sequence[Audited], file: Path) -> None:
    """Draw the costs of audits, and write an SVG file."""
    # The same data produces the same file.
    with mpl.rc_context({"svg.hashsalt": "scale", "svg.fonttype": "none", "font.size": 11}):
        figure = Figure(figsize=(12, 9), layout="constrained", facecolor="white")
        figure.suptitle(
            "Reading sitemaps (pages=none) by number of URLs; in parentheses: the largest size",
            fontsize=14,
        )
        (time, time_per_url), (memory, disk) = figure.subplots(2, 2)
        _panel(time, "Time in seconds", rows, _TIME)
        _panel(time_per_url, "Time per URL in microseconds", rows, _TIME_PER_URL)
        _panel(memory, "Peak memory in MB", rows, _MEMORY, linear=True)
        _panel(disk, "Disk space per URL in bytes", rows, _DISK)
        figure.savefig(file, format="svg", metadata={"Date": None})


def _panel(
    axes: Axes, title: str, rows: Sequence[Audited], lines: Sequence[Line], *, linear: bool = False
) -> None:
    sizes = [row.urls for row in rows]
    for (name, value), style in zip(lines, _STYLES, strict=False):
        values = [value(row) for row in rows]
        label = f"{name} ({values[-1]:,.0f})" if values else name
        [curve] = axes.plot(sizes, values, label=label, linewidth=2, markersize=7)
        curve.set(**style)
    axes.set_title(title, loc="left")
    axes.set_xlabel("URLs")
    axes.set_xscale("log")
    axes.margins(x=0.12)
    if linear:
        axes.set_ylim(bottom=0)
    else:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:,g}"))
    axes.set_xticks(sizes, [_short(size) for size in sizes])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, which="major", color="#dddddd")
    axes.legend(frameon=False)


def _short(size: int) -> str:
    return f"{size // 1_000_000} million" if size >= 1_000_000 else f"{size:,}"
