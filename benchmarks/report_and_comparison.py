"""Measures the report and the comparison of a large run, and how fast a browser opens the report.

``PYTHONPATH=. python benchmarks/report_and_comparison.py 1000000 3000000``

The arguments are the numbers of listed URLs and of findings. In the tables of the previous run, a
tenth of the URLs and findings is different. Each step runs in a separate process.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import duckdb
from measuring import measure
from playwright.sync_api import sync_playwright
from site_rules import SITE, generate_ledger

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.rendering.browser import find_browser
from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.manifest import Manifest, Status

SECONDS, MEGABYTES = 3, 15
"""The goals for a million URLs and three million findings: time to open the page, and its size."""

OPENINGS = 5

MORE_FINDINGS = """
    select rules[1 + number % len(rules)] as rule, severities[1 + number % len(rules)] as severity,
        'page' as subject, url, sitemaps[1] as sitemap, null as position,
        'breaks rule ' || number % len(rules) as message,
        '{"number": ' || number || ', "value": "' || url || '"}' as evidence, 1 as occurrences
    from (select url, sitemaps, row_number() over () as place from urls)
    join (
        select number, 1 + hash(number) % (select count(*) from urls) as place
        from range($missing) as numbers(number)
    ) using (place), (select $rules as rules, $severities as severities)
"""


def prepare(now: Path, before: Path, urls: int, findings: int) -> None:
    """Generate the tables of two runs."""
    generate_ledger(now, urls)
    manifest = Manifest({"site": SITE, "pages": "all"}, {}, {}, "2026-11-21", Status.FINISHED)
    build_tables(TableBuild([now], now, AuditSettings.from_scrapy({}).memory), manifest, Audit())
    rules = catalog()
    with duckdb.connect() as connection:
        for table in ("urls", "findings"):
            connection.execute(f"create table {table} as from '{now / table}.parquet'")
        count = connection.sql("select count(*) from findings").fetchall()[0][0]
        connection.execute(
            f"insert into findings by name {MORE_FINDINGS}",
            {
                "missing": max(0, findings - count),
                "rules": list(rules),
                "severities": [str(rule.severity) for rule in rules.values()],
            },
        )
        order = "list_position(['error', 'warning', 'notice'], severity), rule, url"
        connection.execute(f"copy (from findings order by {order}) to '{now}/findings.parquet'")
        query = "select rule, count(*) from findings group by rule"
        manifest.rules = dict(connection.sql(query).fetchall())
        manifest.rows["findings"] = max(count, findings)
        _write_previous(connection, now, before)
    for run in (now, before):
        manifest.write(run)


def _write_previous(connection: duckdb.DuckDBPyConnection, now: Path, before: Path) -> None:
    """Write the tables of the previous run: every tenth URL has another address."""
    before.mkdir()
    for table in ("robots", "sitemaps", "entries", "pages"):
        shutil.copy(now / f"{table}.parquet", before)
    for table in ("urls", "findings"):
        other = "if(hash(url) % 10 = 0, url || '/before', url) as url"
        if table == "urls":
            other += ", if(hash(url) % 100 = 1, 'not-found', verdict) as verdict"
        connection.execute(
            f"copy (select * replace ({other}) from {table}) to '{before / table}.parquet'"
        )


def run_step(step: str, *folders: Path) -> None:
    """Run one step, and print its seconds."""
    memory = AuditSettings.from_scrapy({}).memory
    now = folders[0]
    manifest = Manifest.read(now)
    started = perf_counter()
    if step == "compare":
        compare(folders[1], now, memory, Audit())
    else:
        write_report(now, manifest, catalog(), memory=memory)
    print(perf_counter() - started)


def measure_opening(file: Path) -> list[float]:
    """Return the seconds until the load event of a page, each in a new browser."""
    times = []
    with sync_playwright() as playwright:
        for _ in range(OPENINGS):
            browser = playwright.chromium.launch(executable_path=find_browser("").program)
            page = browser.new_page()
            page.goto(file.as_uri(), wait_until="load")
            times.append(
                page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
            )
            browser.close()
    return [milliseconds / 1000 for milliseconds in times]


def main(urls: int = 1_000_000, findings: int = 3_000_000) -> None:
    """Print the costs of comparison and report, and the time to open the page."""
    with tempfile.TemporaryDirectory() as folder:
        now, before = Path(folder, "now"), Path(folder, "before")
        prepare(now, before, urls, findings)
        print(f"{f'{urls:,} listed URLs, {findings:,} findings':<44}{'wall s':>9}{'peak MB':>9}")
        for step in ("compare", "report"):
            words = [sys.executable, __file__, step, str(now), str(before)]
            done = measure(words)
            print(f"{step:<44}{float(done.output):>9.1f}{done.megabytes:>9.0f}")
        page = now / "report.html"
        times, size = measure_opening(page), page.stat().st_size / 1e6
    print(f"report.html: {size:.1f} MB   (goal: {MEGABYTES} MB)")
    each = ", ".join(f"{time:.2f}" for time in times)
    print(f"open after {statistics.median(times):.2f} s ({each})   (goal: {SECONDS} s)")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words and not words[0].isdecimal():
        run_step(words[0], *map(Path, words[1:]))
    else:
        main(*map(int, words))
