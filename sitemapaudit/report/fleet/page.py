"""Writes ``fleet.html``: one page about all sites, with a link to the report of each."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from sitemapaudit.report.embedding import shorten, within
from sitemapaudit.report.fleet.reading import Fleet, FleetSite
from sitemapaudit.report.markup import render, write_page

NAME: Final = "fleet.html"

BUDGET: Final = 6_000_000
"""Limit for the sites in the page, in bytes: about 15,000 sites."""

MAX_NAMED: Final = 50
"""Limit for incomplete sites, and for rules, outside the table."""

_PARTS: Final = ("dom", "table", "fleet")


def write_fleet_page(fleet: Fleet) -> Path:
    """Write the page into the folder of the fleet, and return its file."""
    rows = within(map(_page_row, fleet.sites), BUDGET)
    values = {
        "fleet": fleet,
        "incomplete": [_page_row(site) for site in _first(fleet.incomplete)],
        "rules": _first(fleet.rules),
        "sites_included": len(rows),
        "data": {"sites": rows, "urls": []},
    }
    file = fleet.folder / NAME
    write_page(file, render("fleet.html", values, _PARTS))
    return file


def _first(rows: Iterable[Any]) -> list[Any]:
    return list(rows)[:MAX_NAMED]


def _page_row(site: FleetSite) -> dict[str, Any]:
    row = asdict(site)
    row["reason"] = site.reason and shorten(site.reason)
    row["started"] = site.started and f"{site.started:%Y-%m-%d}"
    return row
