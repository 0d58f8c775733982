"""The changes of a repair in figures: the same decisions, without writing files."""

from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import load_tables
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.merged_findings import separate_findings
from sitemapaudit.repair.changes import CHANGE, HAS_NO_URL
from sitemapaudit.repair.decisions import CHANGED, decide
from sitemapaudit.runs.manifest import Manifest

_READ: Final = ("robots", "entries", "pages", "urls")
"""The tables that the decisions read, except findings."""

_COUNTS: Final = f"""
    select change, count(*) from (
        select {CHANGE} as change from decided where {CHANGED}
        union all select 'dropped' from entries where {HAS_NO_URL}
        union all select 'listed' from urls
        union all select 'listed' from entries where {HAS_NO_URL}
    ) group by 1 order by 1
"""


def forecast_repair(run: Path, memory: int, manifest: Manifest) -> None:
    """Count in the manifest how many listed URLs a repair would drop and replace."""

    def work(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
        load_tables(connection, run, _READ)
        separate_findings(connection, run)
        decide(connection, keep_unknown=False, strict=False, only_changed=True)
        return {"listed": 0, **dict(connection.execute(_COUNTS).fetchall())}

    manifest.repairs = {}
    if manifest.severities:  # Everything that a repair would change has a finding.
        manifest.repairs = run_with_memory_limit(memory, run, work, "Counting repairs")
