"""Compares what one more page costs with aiohttp, which only downloads it.

``python benchmarks/page_cost.py --pages 10000 --rounds 3``

Both fetch the pages of the same website on loopback, with 32 requests in flight. The audit does
everything else too, in one process: its rules, its ledger, its tables and its report. What one more
page costs is the difference of two audits, one of a tenth of the pages, divided by the difference
of their pages: the start of a program is no part of it. It is given in microseconds of a processor,
and a second time for Scrapy's downloader.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from measuring import audit_command, measure, record, website

BARE = """
import asyncio, sys
import aiohttp

async def fetch_all(origin, pages):
    numbers = iter(range(pages))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=32)) as session:
        async def fetch():
            for number in numbers:
                async with session.get(f"{origin}/page/{number}") as response:
                    await response.read()
        await asyncio.gather(*(fetch() for _ in range(32)))

asyncio.run(fetch_all(sys.argv[1], int(sys.argv[2])))
"""

WAY_BACK = ("-s", "DOWNLOADER=scrapy.core.downloader.Downloader")
"""The arguments of an audit whose requests pass through Scrapy's engine."""


def audit(pages: int, *words: str) -> float:
    """Return the CPU seconds of an audit."""
    with website(pages) as origin, tempfile.TemporaryDirectory() as folder:
        done = measure(audit_command(origin, Path(folder), "--workers", "1", *words))
        assert f"{pages:,} listed URLs" in done.output, done.output
        return done.cpu_seconds


def download(pages: int) -> float:
    """Return the CPU seconds of downloading with aiohttp."""
    with website(pages) as origin:
        return measure([sys.executable, "-c", BARE, origin, str(pages)]).cpu_seconds


def main() -> None:
    """Measure both alternately; print microseconds of a page, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    few, many = options.pages // 10, options.pages
    rows = []
    for _ in range(options.rounds):
        own = (audit(many) - audit(few)) / (many - few) * 1e6
        back = (audit(many, *WAY_BACK) - audit(few, *WAY_BACK)) / (many - few) * 1e6
        bare = (download(many) - download(few)) / (many - few) * 1e6
        rows.append((own, back, bare))
    print(f"{many:,} pages; rounds: {options.rounds}; medians")
    owns, backs, bares = zip(*rows, strict=True)
    record("one more page, CPU", f"{statistics.median(owns):,.0f} µs", "600 µs")
    record("one more page through Scrapy's engine, CPU", f"{statistics.median(backs):,.0f} µs")
    record("one more page with aiohttp", f"{statistics.median(bares):,.0f} µs")
    ratio = statistics.median(own / bare for own, _, bare in rows)
    record("one more page, against aiohttp", f"{ratio:.1f} times", "6.5 times")
    ratio = statistics.median(back / bare for _, back, bare in rows)
    record(
        "one more page through Scrapy's engine, against aiohttp", f"{ratio:.1f} times", "6.5 times"
    )


if __name__ == "__main__":
    main()
