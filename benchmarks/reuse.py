"""Compares a second audit of an unchanged website with one that fetches all pages.

``python benchmarks/reuse.py --pages 10000``

With ``reuse=latest``, the second one asks for each page only if it changed; three percent of the
pages are controls, which are downloaded again. It is compared with a full audit at the same time,
which has an earlier run too: both compare their results with those of that run.
"""

from __future__ import annotations

import argparse
import tempfile
import urllib.request
from pathlib import Path
from statistics import median

from measuring import Measured, audit_command, measure, record, website

SIZES = (("30 kB", (25_000, 35_000), "60%"), ("1 kB", (900, 1_000), "90%"))
"""The sizes of pages, and the goals."""


def sent(origin: str, what: str) -> int:
    """Return how many ``requests`` or ``bytes`` the server has counted."""
    with urllib.request.urlopen(f"{origin}/{what}") as response:
        return int(response.read())


def audit(origin: str, audits: Path, *words: str) -> tuple[Measured, int, int]:
    """Return the cost of an audit in one process, its requests for pages, and their bytes."""
    before = sent(origin, "requests"), sent(origin, "bytes")
    done = measure(audit_command(origin, audits, "--workers", "1", *words))
    return done, sent(origin, "requests") - before[0], sent(origin, "bytes") - before[1]


def compare(pages: int, name: str, sizes: tuple[int, int], goal: str, rounds: int) -> None:
    """Measure a full audit and one that reuses the first, in turn; print the ratios."""
    ratios, costs = [], []
    with website(pages, sizes=sizes) as origin, tempfile.TemporaryDirectory() as folder:
        audits = Path(folder)
        audit(origin, audits)
        for _ in range(rounds):
            full, requests, size = audit(origin, audits)
            reused, requests_of_reuse, size_of_reuse = audit(origin, audits, "--reuse", "latest")
            ratios.append(reused.cpu_seconds / full.cpu_seconds)
            costs.append((reused, full))
    what = f"second audit of {pages:,} unchanged pages of {name}"
    record(f"{what}, CPU against a full one", f"{median(ratios):.0%}", goal)
    record(f"{what}, requests", f"{requests_of_reuse / requests:.1%}")
    record(f"{what}, bytes", f"{size_of_reuse / size:.1%}")
    reused, full = costs[-1]
    cpu = 1e6 * reused.cpu_seconds / pages, 1e6 * full.cpu_seconds / pages
    record(f"{what}, CPU a page", f"{cpu[0]:.0f} µs, {cpu[1]:.0f} in full")
    record(f"{what}, memory", f"{reused.megabytes:.0f} MB, {full.megabytes:.0f} in full")


def main() -> None:
    """Measure large pages and small ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    for name, sizes, goal in SIZES:
        compare(options.pages, name, sizes, goal, options.rounds)


if __name__ == "__main__":
    main()
