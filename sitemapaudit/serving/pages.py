"""Renders the pages of the server, with the templates and styles of reports."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sitemapaudit.audit_folder.comparing import ComparedRuns
from sitemapaudit.audit_folder.folder import AuditFolder
from sitemapaudit.audit_folder.started_audits import StartedAudits
from sitemapaudit.report.fleet.page import MAX_NAMED
from sitemapaudit.report.fleet.reading import Fleet, read_fleet
from sitemapaudit.report.markup import render
from sitemapaudit.report.overview import build_overview
from sitemapaudit.runs.folders import find_runs
from sitemapaudit.serving.rows import form_fields, run_row, started_row

MAX_SITES: Final = 1_000
MAX_RUNS: Final = 200
"""Limits for the rows of pages."""

SIDES: Final = ("later", "earlier")


class Pages:
    """The pages of a folder of audits."""

    def __init__(self, folder: AuditFolder, audits: StartedAudits, form_token: str) -> None:
        self._folder, self._audits, self._form_token = folder, audits, form_token

    def fleet(self, given: Mapping[str, str] | None = None, fault: str = "") -> str:
        """Return the page of all sites; ``fault`` is the mistake in a form with these values."""
        fleet = self._read_fleet()
        return self._render(
            "served_fleet.html",
            fleet=fleet,
            sites=fleet.sites[:MAX_SITES],
            rules=fleet.rules[:MAX_NAMED],
            fields=form_fields(given or {}),
            fault=fault,
            **self._started(),
        )

    def started(self) -> str:
        """Return the part of that page about the audits that were started here."""
        return self._render("served_started.html", **self._started())

    def runs(self, site: str) -> str:
        """Return the page of the runs of a site, or of all sites."""
        found = self._folder.runs(site)
        rows = [run_row(self._folder, run) for run in found[:MAX_RUNS]]
        newest = islice((row.name for row in rows if row.built), len(SIDES))
        chosen = dict.fromkeys(SIDES, "") | dict(zip(SIDES, newest, strict=False))
        return self._render(
            "served_runs.html", site=site, runs=rows, total=len(found), chosen=chosen
        )

    def comparison(self, earlier: Path, later: Path, compared: ComparedRuns) -> str:
        """Return the page of a comparison."""
        return self._render(
            "served_comparison.html",
            earlier=self._folder.name(earlier),
            later=self._folder.name(later),
            overview=build_overview(compared.manifest),
            changes=compared.changes,
            rows=[{**dict.fromkeys(_COLUMNS), **row} for row in compared.rows],
        )

    def fault(self, reason: str) -> str:
        """Return the page that says why something is not possible."""
        return self._render("served_fault.html", reason=reason)

    def _started(self) -> dict[str, Any]:
        rows = [started_row(self._folder, audit) for audit in self._audits.list()]
        return {"audits": rows, "live": any(row.ending is None for row in rows)}

    def _read_fleet(self) -> Fleet:
        if not find_runs(self._folder.path):
            return Fleet(self._folder.path)
        fleet = read_fleet(self._folder.path)
        inside = self._folder.contains
        fleet.sites = [site for site in fleet.sites if inside(self._folder.path / site.run)]
        return fleet

    def _render(self, template: str, **values: Any) -> str:
        common = {"form_token": self._form_token, "data": {}}
        return render(template, common | values, ["live"], served=True)


_COLUMNS: Final = (
    "change",
    "place",
    "previous_url",
    "before",
    "after",
    "rule",
    "severity",
    "message",
)
"""Those of a change: its row has only those with a value."""
