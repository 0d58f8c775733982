"""Reads the findings of a run for a gate."""

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from sitemapaudit.datasets.database import connect, create_table_views, parquet_rows
from sitemapaudit.datasets.merged_findings import separate_findings
from sitemapaudit.datasets.usable_tables import usable_tables
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.items import Severity
from sitemapaudit.runs.folders import table_file

_TABLES: Final = ("findings", "occurrences", "pages")

_BATCH: Final = 1_000
"""The number of findings that are read at once: there can be one per URL."""

_QUERY: Final = """
    select rule, finding.severity, finding.url, finding.sitemap, line, message,
        if(subject = 'entry', null, file) as file,
        regexp_replace(coalesce(finding.url, finding.sitemap, ''), '^https?://[^/]*', '')
            || if(finding.url is null,
                ' ' || without_numbers(
                    regexp_replace(coalesce(cause, message), 'https?://[^/\\s]*', '', 'g')
                ), '') as place
    from findings as finding
    left join {files} as files on files.url = finding.url
    order by severity_order(finding.severity), rule, place, line, message
"""


def read_findings(run: Path) -> Iterator[GateFinding]:
    """Yield the findings of a run, the most severe first.

    Merged findings are yielded separately: a fault on 200 pages that is found on 50 more is 50 new
    findings. Raises ValueError if a table cannot be used.
    """
    pages = parquet_rows(table_file(run, "pages"))
    with usable_tables(run, tables=_TABLES), connect() as connection:
        create_table_views(connection, run, ("findings",))
        separate_findings(connection, run)
        described = connection.execute(f"describe from {pages}").fetchall()
        # Runs of earlier versions lack the column.
        file = "file" if "file" in {name for name, *_ in described} else "null"
        files = f"(select url, {file} as file from {pages} where status = 200)"  # noqa: S608
        rows = connection.execute(_QUERY.format(files=files))
        while batch := rows.fetchmany(_BATCH):
            for rule, severity, url, sitemap, line, message, file, place in batch:
                yield GateFinding(
                    rule, Severity(severity), place, message, url, sitemap, line, file
                )


def fingerprints(findings: Iterable[GateFinding]) -> Iterator[tuple[GateFinding, str]]:
    """Yield each finding with a unique fingerprint, even if others have the same place."""
    seen: Counter[str] = Counter()
    for finding in findings:
        key = sha256(f"{finding.rule}\n{finding.place}".encode()).hexdigest()[:32]
        seen[key] += 1
        yield finding, f"{key}:{seen[key]}"
