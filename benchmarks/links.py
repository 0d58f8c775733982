"""Measures what recording the links of pages costs an audit.

``python benchmarks/links.py --pages 20000 --links 36``

The pages have 64 links of their own on average. Half of the links that are added stand on all
pages, as those of a menu do. The pages repeat a few texts; with ``--own-texts``, each has its own.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from measuring import Measured, audit_command, measure, record, website

OWN = 64
"""Links that a page has on average before more are added."""


def audit(origin: str, pages: int, how: str) -> Measured:
    """Return the cost of an audit in one process."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("--links", how, "--workers", "1")
        done = measure(audit_command(origin, Path(folder), *words))
        assert f"{pages:,} listed URLs" in done.output, done.output
        return done


def main() -> None:
    """Measure both in turn; print what recording adds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--links", type=int, default=36)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--own-texts", action="store_true")
    options = parser.parse_args()
    times, cpus = [], []
    with website(options.pages, options.links, own_texts=options.own_texts) as origin:
        for _ in range(options.rounds):
            without, recorded = (audit(origin, options.pages, how) for how in ("none", "record"))
            times.append(recorded.seconds / without.seconds - 1)
            cpus.append(recorded.cpu_seconds / without.cpu_seconds - 1)
    what = f"links=record, {options.pages:,} pages with {OWN + options.links} links"
    if options.own_texts:
        what += " and texts of their own"
    record(f"{what}, time", f"+{median(times):.1%}")
    record(f"{what}, CPU", f"+{median(cpus):.1%}", "+20%")
    cpu = [1e6 * each.cpu_seconds / options.pages for each in (recorded, without)]
    record(f"{what}, CPU a page", f"{cpu[0]:.0f} µs, {cpu[1]:.0f} without")
    record(f"{what}, memory", f"{recorded.megabytes:.0f} MB, {without.megabytes:.0f} MB without")


if __name__ == "__main__":
    main()
