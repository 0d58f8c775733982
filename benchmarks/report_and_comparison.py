"""Time, memory and size of a large run's report and comparison, and how soon a browser has it open.

``PYTHONPATH=. python benchmarks/report_and_comparison.py 1000000 3000000``

The tables of a site of so many listed URLs are made up once, with so many findings of all rules;
those of the run before lack a tenth of both, and hold others in their place. Each step is a
process of its own.
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
from site_rules import SITE, make_up

from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.rendering.browser import find_browser
from sitemapaudit.report.page import write_report
from sitemapaudit.rules.catalogue import catalogue

SECONDS, MEGABYTES = 3, 15
"""The goal for a million URLs and three million findings: to open the page, and its size."""

OPENINGS = 5

MORE_FINDINGS = """
    select rules[1 + number % len(rules)] as rule, severities[1 + number % len(rules)] as severity,
        'page' as subject, url, sitemaps[1] as sitemap, null as position,
        'is as rule ' || number % len(rules) || ' would not have it' as message,
        '{"number": ' || number || ', "said": "' || url || '"}' as evidence
    from (select url, sitemaps, row_number() over () as place from urls)
    join (
        select number, 1 + hash(number) % (select count(*) from urls) as place
        from range($missing) as numbers(number)
    ) using (place), (select $rules as rules, $severities as severities)
"""


def prepare(now: Path, before: Path, urls: int, findings: int) -> None:
    """Make up the tables of two runs."""
    make_up(now, urls)
    manifest = Manifest({"site": SITE, "pages": "all"}, {}, {}, "2026-11-21", Status.FINISHED)
    build_tables(Build([now], now, AuditSettings.of({}).memory), manifest, Audit())
    rules = catalogue()
    with duckdb.connect() as connection:
        for table in ("urls", "findings"):
            connection.execute(f"create table {table} as from '{now / table}.parquet'")
        had = connection.sql("select count(*) from findings").fetchall()[0][0]
        connection.execute(
            f"insert into findings by name {MORE_FINDINGS}",
            {
                "missing": max(0, findings - had),
                "rules": list(rules),
                "severities": [str(rule.severity) for rule in rules.values()],
            },
        )
        order = "list_position(['error', 'warning', 'notice'], severity), rule, url"
        connection.execute(f"copy (from findings order by {order}) to '{now}/findings.parquet'")
        counted = "select rule, count(*) from findings group by rule"
        manifest.rules = dict(connection.sql(counted).fetchall())
        manifest.rows["findings"] = max(had, findings)
        _alter(connection, now, before)
    for run in (now, before):
        manifest.write(run)


def _alter(connection: duckdb.DuckDBPyConnection, now: Path, before: Path) -> None:
    """Write the tables of the run before: of ten URLs one has another address."""
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


def clock(step: str, *folders: Path) -> None:
    """Do one step, and print its seconds."""
    memory = AuditSettings.of({}).memory
    now = folders[0]
    manifest = Manifest.read(now)
    begun = perf_counter()
    if step == "compare":
        compare(folders[1], now, memory)
    else:
        write_report(now, manifest, memory=memory)
    print(perf_counter() - begun)


def opening(file: Path) -> list[float]:
    """Return the seconds from asking for a page until its load event, in browsers of their own."""
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
    """Print what comparison and report take, and how the page opens."""
    with tempfile.TemporaryDirectory() as folder:
        now, before = Path(folder, "now"), Path(folder, "before")
        prepare(now, before, urls, findings)
        print(f"{f'{urls:,} listed URLs, {findings:,} findings':<44}{'wall s':>9}{'peak MB':>9}")
        for step in ("compare", "report"):
            words = [sys.executable, __file__, step, str(now), str(before)]
            done = measure(words)
            print(f"{step:<44}{float(done.output):>9.1f}{done.megabytes:>9.0f}")
        page = now / "report.html"
        times, size = opening(page), page.stat().st_size / 1e6
    print(f"report.html: {size:.1f} MB   (goal: {MEGABYTES} MB)")
    told = ", ".join(f"{time:.2f}" for time in times)
    print(f"open after {statistics.median(times):.2f} s ({told})   (goal: {SECONDS} s)")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words and not words[0].isdecimal():
        clock(words[0], *map(Path, words[1:]))
    else:
        main(*map(int, words))
