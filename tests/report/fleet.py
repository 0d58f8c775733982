"""Folders of audits for the tests of the fleet: of each run nothing but its manifest."""

from pathlib import Path
from typing import Any

from sitemapaudit.datasets.database import table_file
from sitemapaudit.datasets.manifest import Manifest, Status
from tests.report.site import ATTRIBUTE, IMAGE, SCRIPT


def run_of(
    audits: Path,
    site: str,
    indexable: int,
    not_found: int = 0,
    *,
    day: int = 21,
    pages: str = "all",
    reason: str | None = None,
    **values: Any,
) -> Path:
    """Write the manifest of a run of a site, and an empty page of it."""
    started = f"2026-11-{day:02}T12:00:00Z"
    folder = audits / site / started.replace(":", "-")
    folder.mkdir(parents=True)
    manifest = Manifest(
        {"site": f"https://{site}", "pages": pages},
        {},
        {},
        started,
        values.pop("status", Status.INTERRUPTED if reason else Status.FINISHED),
        reason=reason,
        readable=1,
        rows={"urls": indexable + not_found},
        verdicts={"indexable": indexable, "not-found": not_found},
        severities={"error": not_found, "warning": 1},
        rules={"page-not-found": not_found, "lastmod-missing": 1} if not_found else {},
        **values,
    )
    manifest.complete = reason is None and manifest.status is Status.FINISHED
    manifest.write(folder)
    table_file(folder, "urls").touch()
    (folder / "report.html").write_text(f"<title>{site}</title>", encoding="utf-8")
    return folder


def five_sites(audits: Path) -> Path:
    """Make a site that got worse, one that got better, one stopped, one new, one unreadable."""
    run_of(audits, "fell.example", 90, 10, day=14)
    run_of(audits, "fell.example", 50, 50, changes={"new": 40, "mended": 0})
    run_of(audits, "rose.example", 40, 60, day=13)
    run_of(audits, "rose.example", 1, 99, day=14, pages="10")
    run_of(audits, "rose.example", 80, 20, changes={"new": 1, "mended": 41})
    run_of(audits, "halted.example", 20, 0, reason="the run was stopped")
    run_of(audits, "new.example", 7, 0)
    (run_of(audits, "torn.example", 7, 0) / "run.json").write_text('{"status": "fin')
    return audits


def hostile_fleet(audits: Path) -> Path:
    """Make sites whose names and reasons would like to run scripts in the page."""
    for name in (SCRIPT, IMAGE, ATTRIBUTE, "javascript:window.caught=1", "=1+1", "a\tb", "a#b?c%d"):
        run_of(audits, name.replace("/", "\N{DIVISION SLASH}"), 1, 1, reason=f"{name}\x1b[31m")
    return audits
