"""Measures time and memory of ``scrapy repair`` for a site with a million listed URLs.

``PYTHONPATH=. python benchmarks/repairing.py 1000000``

The tables are those of ``site_rules.py``. They contain redirects, canonicalized pages, missing
pages, URLs in several sitemaps, and language alternates.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measuring import measure
from site_rules import SITE, generate_ledger

from sitemapaudit.audit import Audit
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.runs.manifest import Manifest, Status

SECONDS, MEGABYTES = 120, 1000
"""The goals for a million listed URLs."""


def main(urls: int = 1_000_000) -> None:
    """Print the output of the command, and its time and peak memory next to the goals."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder, "run")
        generate_ledger(run, urls)
        manifest = Manifest({"site": SITE, "pages": "all"}, {}, {}, "", Status.FINISHED)
        build_tables(
            TableBuild([run], run, AuditSettings.from_scrapy({}).memory), manifest, Audit()
        )
        manifest.write(run)
        done = measure([sys.executable, "-m", "scrapy", "repair", str(run)])
        size = sum(file.stat().st_size for file in run.glob("repaired/*/*"))
        changes = (run / "repaired" / "changes.csv").stat().st_size
    print(done.output)
    print(f"{'files, changes.csv (MB)':<40}{size / 1e6:>9.0f}{changes / 1e6:>9.0f}")
    print(f"{'seconds':<40}{done.seconds:>9.1f}   (goal: {SECONDS} s)")
    print(f"{'CPU seconds':<40}{done.cpu_seconds:>9.1f}")
    print(f"{'peak MB':<40}{done.megabytes:>9.0f}   (goal: {MEGABYTES} MB)")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
