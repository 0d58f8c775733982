"""Measures what one more entry of a sitemap costs, without fetching its page.

``python benchmarks/entry_cost.py --entries 1000000 --most 10000000``

The audit reads the sitemaps of a website on loopback with ``pages=none``, checks every rule, and
builds tables and report. What one more entry costs is the difference of two audits in one process,
one of a tenth of the entries: the start of a program is no part of it. The baseline only parses the
same files with lxml. How long the most entries take is measured with a process for each processor.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from measuring import Measured, audit_command, measure, record, website

ALONE = ("--workers", "1")

PARSE = """
import sys
from urllib.request import urlopen
from lxml import etree

def locs(url):
    for _, element in etree.iterparse(urlopen(url), tag=("{*}url", "{*}sitemap")):
        yield element[0].text
        element.clear()

for sitemap in list(locs(sys.argv[1] + "/sitemap.xml")):
    for loc in locs(sitemap):
        pass
"""


def audit(entries: int, *options: str) -> tuple[Measured, float]:
    """Return the cost of an audit, and the megabytes of the ledger of its entries."""
    with website(entries) as origin, tempfile.TemporaryDirectory() as folder:
        done = measure(audit_command(origin, Path(folder), "--pages", "none", *options))
        assert f"{entries:,} listed URLs" in done.output, done.output
        (ledger,) = Path(folder).glob("*/*/log/entries.jsonl")
        return done, ledger.stat().st_size / 1e6


def parse(entries: int) -> float:
    """Return the CPU seconds of parsing the same files."""
    with website(entries) as origin:
        return measure([sys.executable, "-c", PARSE, origin]).cpu_seconds


def main() -> None:
    """Print microseconds of a processor for one more entry, bytes and memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--most", type=int, default=10_000_000)
    options = parser.parse_args()
    few, many = options.entries // 10, options.entries
    more = many - few
    whole, size = audit(many, *ALONE)
    own = (whole.cpu_seconds - audit(few, *ALONE)[0].cpu_seconds) / more * 1e6
    bare = (parse(many) - parse(few)) / more * 1e6
    together, most = audit(many)[0], audit(options.most)[0]
    print(f"{many:,} entries in {whole.seconds:.1f} s, and {together.seconds:.1f} s with processes")
    record("one more entry, CPU", f"{own:.1f} µs", "15 µs")
    record("one more entry, against lxml alone", f"{own / bare:.1f} times")
    record("ledger of an entry", f"{size * 1e6 / many:.0f} bytes", "150 bytes")
    record(f"peak memory with {many:,} entries", f"{whole.megabytes:.0f} MB", "300 MB")
    record("the same with several processes", f"{together.megabytes:.0f} MB", "300 MB")
    record(f"{options.most:,} entries, several processes", f"{most.seconds:.0f} s", "180 s")
    record(f"peak memory with {options.most:,} entries", f"{most.megabytes:.0f} MB")


if __name__ == "__main__":
    main()
