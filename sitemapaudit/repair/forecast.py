"""The changes of a repair in figures: the same decisions, without writing files."""

from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.database import load_tables
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.merged_findings import separate_findings
from sitemapaudit.repair.changes import CHANGE, HAS_NO_URL
from sitemapaudit.repair.decisions import decide
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.repair_counts import RepairCount

_READ: Final = ("robots", "entries", "pages", "urls")
"""The tables that the decisions read, except findings."""

_COUNTS: Final = f"""
    select change, count(*) from (
        select {CHANGE} as change from decided
        union all select 'without_url' from entries where {HAS_NO_URL}
        union all select 'listed' from urls
    ) group by 1 order by 1
"""

_BY_VERDICT: Final = f"""
    with changed as (
        select url, decided.verdict, {CHANGE} as change, sitemaps, rules
        from decided join urls using (url)
    ), counted as (
        select verdict, change, rule, count(*) as number
        from (select verdict, change, unnest(rules) as rule from changed)
        group by all
    ), found as (
        select verdict, change, map(list(rule order by rule), list(number order by rule)) as rules
        from counted group by all
    )
    select verdict, change, count(*) filter (sitemap is not distinct from first),
        count(distinct sitemap), min(url), coalesce(any_value(found.rules), map {{}})
    from (
        select url, verdict, change, sitemaps[1] as first, unnest(sitemaps) as sitemap from changed
    ) left join found using (verdict, change)
    group by verdict, change order by verdict, change
"""


def forecast_repair(run: Path, memory: int, manifest: Manifest) -> None:
    """Count in the manifest how many listed URLs a repair would drop and replace."""

    def work(connection: duckdb.DuckDBPyConnection) -> tuple[dict[str, int], list[RepairCount]]:
        load_tables(connection, run, _READ)
        separate_findings(connection, run)
        decide(connection, drop_unknown=False, strict=False, only_changed=True)
        counts = dict(connection.execute(_COUNTS).fetchall())
        parts = [RepairCount(*row) for row in connection.execute(_BY_VERDICT).fetchall()]
        return counts, parts

    manifest.repairs, manifest.repairs_by_verdict = {}, []
    if manifest.severities:  # Everything that a repair would change has a finding.
        found = run_with_memory_limit(memory, run, work, "Counting repairs")
        manifest.repairs, manifest.repairs_by_verdict = found
