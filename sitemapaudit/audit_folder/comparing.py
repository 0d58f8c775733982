"""Compares two runs of a folder, and changes neither."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import TABLE, compare
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.datasets.database import connect, load_tables
from sitemapaudit.report.changes_since import Changes, count_changes, read_changes
from sitemapaudit.runs.manifest import Manifest


class ComparedRuns(NamedTuple):
    """The later run, the counts of the differences, and the most severe ones."""

    manifest: Manifest
    changes: Changes
    rows: list[dict[str, Any]]


def compare_runs(old: Path, new: Path) -> ComparedRuns:
    """Compare two runs with tables. Raises OSError, or ValueError with a sentence."""
    manifest = Manifest.read(new)
    # The package of a rule is code: a run that was sent by others could name any.
    names = {"AUDIT_RULES": manifest.settings.get("AUDIT_RULES") or ""}
    audit = Audit.of(AuditSettings.read(names))
    with TemporaryDirectory() as scratch:
        into = Path(scratch)
        comparison = compare(old, new, AuditSettings().memory, audit, into=into)
        with connect() as connection:
            load_tables(connection, into, [TABLE])
            rows = read_changes(connection)
    return ComparedRuns(manifest, count_changes(comparison, manifest, audit.rules), rows)
