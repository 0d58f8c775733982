"""Measures what many shards cost besides fetching, and computes what that is of an audit.

``python benchmarks/shards.py --urls 1000000 --counts 1 4 16 64``

A run with ``--pages none`` reads the sitemaps once; the shards take its entries, and fetch one page
each (``AUDIT_MAX_URLS``). A few shards of each count are measured, the first one apart: it also
writes the entries by the hash of their URL. The CPU of all of them is computed from these, and that
of the pages from what one more page costs here.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from measuring import audit_command, measure, record, website
from page_cost import audit

MEASURED = 3
"""Shards of each count that are measured, apart from the first."""


def shard(origin: str, read: Path, into: Path, number: int, count: int) -> float:
    """Return the CPU seconds of a shard that fetches one page."""
    audits = into / f"{number}-of-{count}"
    options = f"--entries-from {read} --shard {number}/{count} --results later --workers 1"
    limit = ("-s", f"AUDIT_MAX_URLS={count}")
    words = [*audit_command(origin, audits, *options.split(), *limit)]
    return measure(words).cpu_seconds


def shards(origin: str, read: Path, into: Path, count: int) -> float:
    """Return the CPU seconds of all shards."""
    numbers = range(1, min(count, MEASURED + 1) + 1)
    first, *others = (shard(origin, read, into, number, count) for number in numbers)
    return first + statistics.fmean(others) * (count - 1) if others else first


def main() -> None:
    """Measure each count of shards, and print the CPU of the whole audit against one process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 4, 16, 64])
    options = parser.parse_args()
    page = (audit(2_200) - audit(200)) / 2_000
    pages = page * options.urls
    record("one more page, CPU", f"{page * 1e6:,.0f} µs")
    with website(options.urls) as origin, tempfile.TemporaryDirectory() as folder:
        into = Path(folder)
        none = ("--pages", "none", "--workers", "1")
        reading = measure(audit_command(origin, into / "read", *none)).cpu_seconds
        record(f"{options.urls:,} entries read by one run, CPU", f"{reading:,.1f} s")
        for count in options.counts:
            for folder_by_digest in into.glob("read/*/*/entries-by-digest"):
                folder_by_digest.rename(into / f"before-{count}")
            cpu = shards(origin, into / "read", into, count)
            whole = (reading + cpu + pages) / (reading + pages)
            record(
                f"{count} shards: CPU besides fetching; of the whole audit, with one run's",
                f"{cpu:,.1f} s; {whole:.3f} times",
                "" if count < 64 else "1.10 times",
            )


if __name__ == "__main__":
    main()
