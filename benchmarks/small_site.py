"""Measures an audit of ten URLs from the command to the summary, the report included.

``python benchmarks/small_site.py --rounds 10``

Importing Scrapy alone is measured beside it: no audit can be faster.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from statistics import median

from measuring import Measured, audit_command, measure, record, website

URLS = 10
IMPORT = "import scrapy.crawler, scrapy.cmdline, scrapy.utils.reactor"


def audit(origin: str) -> Measured:
    """Audit the website."""
    with tempfile.TemporaryDirectory() as folder:
        return measure(audit_command(origin, Path(folder)))


def main() -> None:
    """Measure both alternately; print medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    own, bare = [], []
    with website(URLS) as origin:
        audit(origin)  # Compiles modules and templates.
        for _ in range(options.rounds):
            own.append(audit(origin))
            bare.append(measure([sys.executable, "-c", IMPORT]))
    record("ten URLs", f"{median(run.seconds for run in own):.2f} s", "1.0 s")
    record("ten URLs, CPU", f"{median(run.cpu_seconds for run in own):.2f} s")
    ratio = median(one.seconds / other.seconds for one, other in zip(own, bare, strict=True))
    record("ten URLs, against importing Scrapy", f"{ratio:.1f} times")


if __name__ == "__main__":
    main()
