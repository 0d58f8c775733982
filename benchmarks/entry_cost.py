"""Measures what one more entry of a sitemap costs, without fetching its page.

``python benchmarks/entry_cost.py --entries 1000000``

The audit reads the sitemaps of a website on loopback with ``pages=none``, checks every rule, and
builds tables and report. What one more entry costs is the difference of two audits, one of a tenth
of the entries: the start of a program is no part of it. The baseline only parses the same files
with lxml.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from measuring import Measured, audit_command, measure, record, website

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


def audit(entries: int) -> tuple[Measured, float]:
    """Return the cost of an audit, and the megabytes of the ledger of its entries."""
    with website(entries) as origin, tempfile.TemporaryDirectory() as folder:
        done = measure(audit_command(origin, Path(folder), "--pages", "none"))
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
    options = parser.parse_args()
    few, many = options.entries // 10, options.entries
    more = many - few
    whole, size = audit(many)
    own = (whole.cpu_seconds - audit(few)[0].cpu_seconds) / more * 1e6
    bare = (parse(many) - parse(few)) / more * 1e6
    print(f"{many:,} entries in {whole.seconds:.1f} s")
    record("one more entry, CPU", f"{own:.1f} µs", "15 µs")
    record("one more entry, against lxml alone", f"{own / bare:.1f} times")
    record("ledger of an entry", f"{size * 1e6 / many:.0f} bytes", "150 bytes")
    record(f"peak memory with {many:,} entries", f"{whole.megabytes:.0f} MB", "300 MB")


if __name__ == "__main__":
    main()
