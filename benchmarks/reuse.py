"""Compares a second audit of an unchanged website with the first one.

``python benchmarks/reuse.py --pages 10000``

With ``reuse=latest``, the second one asks for each page only if it changed; three percent of the
pages are controls, which are downloaded again.
"""

from __future__ import annotations

import argparse
import tempfile
import urllib.request
from pathlib import Path

from measuring import Measured, audit_command, measure, record, website


def sent(origin: str, what: str) -> int:
    """Return how many ``requests`` or ``bytes`` the server has counted."""
    with urllib.request.urlopen(f"{origin}/{what}") as response:
        return int(response.read())


def audit(origin: str, audits: Path, *words: str) -> tuple[Measured, int, int]:
    """Return the cost of an audit in one process, its requests for pages, and their bytes."""
    before = sent(origin, "requests"), sent(origin, "bytes")
    done = measure(audit_command(origin, audits, "--workers", "1", *words))
    return done, sent(origin, "requests") - before[0], sent(origin, "bytes") - before[1]


def main() -> None:
    """Measure both, with controls and without; print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    pages = parser.parse_args().pages
    reuse = ("--reuse", "latest")
    with website(pages) as origin, tempfile.TemporaryDirectory() as folder:
        audits = Path(folder)
        first = audit(origin, audits)
        second = audit(origin, audits, *reuse)
        without = audit(origin, audits, *reuse, "-s", "AUDIT_CONTROL_SHARE=0")
    for name, (done, requests, size) in (("3% controls", second), ("no controls", without)):
        what = f"second audit of {pages:,} unchanged pages, {name}"
        cpu = 1e6 * done.cpu_seconds / pages, 1e6 * first[0].cpu_seconds / pages
        record(f"{what}, requests", f"{requests / first[1]:.1%}")
        record(f"{what}, bytes", f"{size / first[2]:.1%}", "2%")
        record(f"{what}, seconds", f"{done.seconds:.1f}, {first[0].seconds:.1f} the first time")
        record(f"{what}, CPU a page", f"{cpu[0]:.0f} µs, {cpu[1]:.0f} the first time")
        record(f"{what}, memory", f"{done.megabytes:.0f} MB, {first[0].megabytes:.0f} the first")


if __name__ == "__main__":
    main()
