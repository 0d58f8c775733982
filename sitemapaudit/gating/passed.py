"""The last run of a site that passed its gate."""

from pathlib import Path
from typing import Final

from sitemapaudit.rules.needs import EXTENT
from sitemapaudit.runs.folders import has_tables
from sitemapaudit.runs.manifest import NAME, Manifest

PASSED: Final = "passed"


def last_passed(run: Path) -> Path | None:
    """Return the last earlier run that audited the same and passed; None if none did."""
    here = run.resolve()
    extent = _extent(Manifest.read(here))
    for folder in sorted(here.parent.iterdir(), reverse=True):
        if folder.name < here.name and (folder / NAME).is_file() and has_tables(folder):
            try:
                manifest = Manifest.read(folder)
            except ValueError:
                continue  # Its manifest is damaged.
            if manifest.gate == PASSED and _extent(manifest) == extent:
                return folder
    return None


def _extent(manifest: Manifest) -> list[str]:
    return [str(manifest.arguments.get(choice.name) or "") for choice in EXTENT]
