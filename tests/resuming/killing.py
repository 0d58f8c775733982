"""Starts audits, kills them, and reads their tables."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb

from sitemapaudit.runs.ledger import ledger_file
from tests.resuming.site import Site
from tests.support import PROJECT, own_environment

_VOLATILE = {
    "robots": "fetched_at",
    "sitemaps": "elapsed, fetched_at, retries",
    "entries": "",
    "pages": "elapsed, fetched_at, date, retries, role, via",
    "urls": "",
    "findings": "",
}
"""Columns of each table that differ between two audits of a site."""

CONCURRENCY = 16


def start(audits: Path, *arguments: str, **settings: Any) -> subprocess.Popen[str]:
    """Start an audit in a process group of its own."""
    chosen = {
        "AUDIT_DIR": audits,
        "AUDIT_SPEED": "full",
        "CONCURRENT_REQUESTS": CONCURRENCY,
        **settings,
    }
    words = [word for argument in arguments for word in ("-a", argument)]
    words += [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
    return subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", "sitemap", *words],
        cwd=PROJECT,
        env=own_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def finish(process: subprocess.Popen[str]) -> str:
    """Wait for the end of an audit, which must be complete; return its output."""
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output
    return output


def wait_for_run(audits: Path, process: subprocess.Popen[str]) -> Path:
    """Wait until an audit has a run folder, and return it."""
    while not (found := sorted(audits.glob("*/*/run.json"))):
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    return found[-1].parent


def wait_for_pages(run: Path, process: subprocess.Popen[str], size: int = 1) -> None:
    """Wait until the ledger of an audit has a number of bytes of pages."""
    file = ledger_file(run, "pages")
    while not file.exists() or file.stat().st_size < size:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def kill(process: subprocess.Popen[str]) -> bool:
    """Kill an audit with all its processes; return whether it was still running."""
    running = process.poll() is None
    if running:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return running


def read_rows(run: Path) -> dict[str, Counter[str]]:
    """Return the rows of every table, without what differs between two audits.

    The random URL of a host differs in each audit.
    """
    tables = {}
    with duckdb.connect() as connection:
        for table, volatile in _VOLATILE.items():
            columns = f"* exclude ({volatile})" if volatile else "*"
            where = "where role <> 'probe'" if table == "pages" else ""
            file = run / f"{table}.parquet"
            rows = connection.sql(
                f"select to_json(t)::varchar from (select {columns} from '{file}' {where}) as t"
            )
            tables[table] = Counter(text for (text,) in rows.fetchall())
    return tables


def count_repeated(requests: Counter[str], site: Site) -> int:
    """Return the number of requests for pages that had been requested before."""
    pages = {address: number for address, number in requests.items() if "/page/" in address}
    assert len(pages) >= site.urls * 0.9
    return sum(number - 1 for number in pages.values())
