"""The changes of a repair in figures: the same decisions, without writing files."""

from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import load_tables
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.merged_findings import separate_findings
from sitemapaudit.repair.changes import list_url_changes
from sitemapaudit.repair.decisions import decide
from sitemapaudit.runs.manifest import Manifest

_READ: Final = ("robots", "entries", "pages", "urls")
"""The tables that the decisions read, except findings."""

_LISTED: Final = """
    select (select count(*) from urls)
        + (select count(*) from entries where url is null and kind <> 'sitemapindex')
"""


def forecast_repair(run: Path, memory: int, manifest: Manifest) -> None:
    """Count in the manifest how many listed URLs a repair would drop and replace."""

    def work(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
        load_tables(connection, run, _READ)
        separate_findings(connection, run)
        decide(connection, keep_unknown=False, strict=False, only_changed=True)
        list_url_changes(connection)
        changes = "select change, sum(count)::bigint from changes group by 1 order by 1"
        (listed,) = connection.execute(_LISTED).fetchall()[0]
        return dict(connection.execute(changes).fetchall()) | {"listed": listed}

    manifest.repairs = {}
    if manifest.severities:  # Everything that a repair would change has a finding.
        manifest.repairs = run_with_memory_limit(memory, run, work, "Counting repairs")
