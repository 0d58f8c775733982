"""Folders of audits for the tests of the fleet; each run has only its manifest."""

from pathlib import Path
from typing import Any

from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.manifest import Manifest, Status
from tests.report.site import ATTRIBUTE, IMAGE, SCRIPT


def make_run(
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
    """Write the manifest of a run of a site, with an empty report."""
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
        readable_sitemaps=1,
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


def make_five_sites(audits: Path) -> Path:
    """Make a site that got worse, a better one, a stopped one, a new one and an unreadable one."""
    make_run(audits, "worse.example", 90, 10, day=14)
    make_run(audits, "worse.example", 50, 50, changes={"new": 40, "fixed": 0})
    make_run(audits, "better.example", 40, 60, day=13)
    make_run(audits, "better.example", 1, 99, day=14, pages="10")
    make_run(audits, "better.example", 80, 20, changes={"new": 1, "fixed": 41})
    make_run(audits, "interrupted.example", 20, 0, reason="the run was stopped")
    make_run(audits, "new.example", 7, 0)
    (make_run(audits, "unreadable.example", 7, 0) / "run.json").write_text('{"status": "fin')
    return audits


def make_hostile_fleet(audits: Path) -> Path:
    """Make sites with names and reasons that try to run scripts in the page."""
    for name in (SCRIPT, IMAGE, ATTRIBUTE, "javascript:window.caught=1", "=1+1", "a\tb", "a#b?c%d"):
        make_run(audits, name.replace("/", "\N{DIVISION SLASH}"), 1, 1, reason=f"{name}\x1b[31m")
    return audits
