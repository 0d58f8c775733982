"""Measures what recording the links of pages costs an audit.

``python benchmarks/links.py --pages 20000 --links 36``

The pages have 64 links of their own on average. Half of the links that are added stand on all
pages, as those of a menu do.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from measuring import Measured, audit_command, measure, record, website

OWN = 64
"""Links that a page has on average before more are added."""


def audit(pages: int, links: int, how: str) -> Measured:
    """Return the cost of an audit in one process."""
    with website(pages, links) as origin, tempfile.TemporaryDirectory() as folder:
        words = ("--links", how, "--workers", "1")
        done = measure(audit_command(origin, Path(folder), *words))
        assert f"{pages:,} listed URLs" in done.output, done.output
        return done


def main() -> None:
    """Measure both; print what recording adds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--links", type=int, default=36)
    options = parser.parse_args()
    without, recorded = (audit(options.pages, options.links, how) for how in ("none", "record"))
    added = recorded.seconds / without.seconds - 1
    cpu = recorded.cpu_seconds / without.cpu_seconds - 1
    what = f"links=record, {options.pages:,} pages with {OWN + options.links} links"
    record(f"{what}, time", f"+{added:.1%}")
    record(f"{what}, CPU", f"+{cpu:.1%}", "+20%")
    record(f"{what}, memory", f"{recorded.megabytes:.0f} MB, {without.megabytes:.0f} MB without")


if __name__ == "__main__":
    main()
