"""The last run of a site that passed its gate."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sitemapaudit.runs.folders import has_tables
from sitemapaudit.runs.manifest import NAME, Manifest

PASSED: Final = "passed"


def last_passed(run: Path) -> Path | None:
    """Return the last run of the same site before this one that passed; None if none did."""
    here = run.resolve()
    for folder in sorted(here.parent.iterdir(), reverse=True):
        if folder.name < here.name and (folder / NAME).is_file() and has_tables(folder):
            try:
                if Manifest.read(folder).gate == PASSED:
                    return folder
            except ValueError:
                continue  # It is damaged.
    return None
