"""Audits that are killed at any moment, and what their datasets hold in the end."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb

from sitemapaudit.datasets.ledger import ledger_file
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
"""Columns of each table that no two audits of one site have alike."""

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
    """Wait for the end of an audit, and return what it said; it must be complete."""
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    return said


def begun(audits: Path, process: subprocess.Popen[str]) -> Path:
    """Wait until an audit has a run folder, and return it."""
    while not (found := sorted(audits.glob("*/*/run.json"))):
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    return found[-1].parent


def at_work(run: Path, process: subprocess.Popen[str], size: int = 1) -> None:
    """Wait until an audit has written down so many bytes of its pages."""
    file = ledger_file(run, "pages")
    while not file.exists() or file.stat().st_size < size:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def kill(process: subprocess.Popen[str]) -> bool:
    """Kill an audit with all its processes; return whether it was still at work."""
    alive = process.poll() is None
    if alive:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return alive


def datasets(run: Path) -> dict[str, Counter[str]]:
    """Return the rows of every table, but for what differs between any two audits.

    The random address that a host is asked for is another each time.
    """
    tables = {}
    with duckdb.connect() as connection:
        for table, volatile in _VOLATILE.items():
            kept = f"* exclude ({volatile})" if volatile else "*"
            where = "where role <> 'probe'" if table == "pages" else ""
            file = run / f"{table}.parquet"
            rows = connection.sql(
                f"select to_json(t)::varchar from (select {kept} from '{file}' {where}) as t"
            )
            tables[table] = Counter(text for (text,) in rows.fetchall())
    return tables


def repeated(asked: Counter[str], site: Site) -> int:
    """Return how many requests there were for addresses that had been asked for already."""
    known = {address: number for address, number in asked.items() if "/page/" in address}
    assert len(known) >= site.urls * 0.9
    return sum(number - 1 for number in known.values())
