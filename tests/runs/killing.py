"""Starts audits, kills them, and reads their tables."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb

from sitemapaudit.runs.ledger.ledger import ledger_file
from tests.plugins.interpreters.commands import Command
from tests.runs.site import Site
from tests.support.commands import TIMEOUT

_VOLATILE = {
    "robots": "fetched_at, headers",
    "sitemaps": "elapsed, fetched_at, retries, headers",
    "entries": "",
    "pages": "elapsed, fetched_at, date, retries, headers",
    "urls": "response_seconds",
    "findings": "",
}
"""Columns of each table that differ between two audits of a site."""

CONCURRENCY = 16


def start(
    audits: Path,
    *arguments: str,
    limits: Mapping[int, int] | None = None,
    prepare: Callable[[], None] | None = None,
    environment: Mapping[str, str] | None = None,
    **settings: Any,
) -> Command:
    """Start an audit in a process group of its own."""
    chosen = {
        "AUDIT_DIR": audits,
        "AUDIT_SPEED": "full",
        "CONCURRENT_REQUESTS": CONCURRENCY,
        **settings,
    }
    words = [word for argument in arguments for word in ("-a", argument)]
    words += [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
    return Command(["crawl", "sitemap", *words], limits, prepare, environment=environment)


def finish(process: Command) -> None:
    """Wait for the end of an audit, which must be complete."""
    assert process.wait(TIMEOUT) == 0, process.log


def wait_for_run(audits: Path, process: Command) -> Path:
    """Wait until an audit has a run folder, and return it."""
    while not (found := sorted(audits.glob("*/*/run.json"))):
        assert process.poll() is None, process.log
        time.sleep(0.005)
    return found[-1].parent


def wait_for_pages(run: Path, process: Command, size: int = 1) -> None:
    """Wait until the ledger of an audit has a number of bytes of pages."""
    file = ledger_file(run, "pages")
    while not file.exists() or file.stat().st_size < size:
        assert process.poll() is None, process.log
        time.sleep(0.005)


def kill(process: Command) -> bool:
    """Kill an audit with all its processes; return whether it was still running."""
    running = process.poll() is None
    if running:
        process.kill()
    return running


def read_rows(run: Path) -> dict[str, Counter[str]]:
    """Return the rows of every table, without what differs between two audits.

    The random URL of a host differs in each audit.
    """
    tables = {}
    with duckdb.connect() as connection:
        for table, volatile in _VOLATILE.items():
            columns = without_times(volatile)
            where = "where role <> 'probe'" if table == "pages" else ""
            file = run / f"{table}.parquet"
            rows = connection.sql(
                f"select to_json(t)::varchar from (select {columns} from '{file}' {where}) as t"
            )
            tables[table] = Counter(text for (text,) in rows.fetchall())
    return tables


def without_times(volatile: str) -> str:
    """Return the columns of a table without those that differ; of headers, without the date."""
    undated = "list_filter(headers, lambda each: each not like 'date: %') as headers"
    columns = f"* exclude ({volatile})" if volatile else "*"
    return f"{columns}, {undated}" if "headers" in volatile else columns


def count_repeated(requests: Counter[str], site: Site) -> int:
    """Return the number of requests for pages that had been requested before."""
    pages = {address: number for address, number in requests.items() if "/page/" in address}
    assert len(pages) >= site.urls * 0.9
    return sum(number - 1 for number in pages.values())
