"""Compares a complete audit with the same job in advertools.

``python benchmarks/audit_against_advertools.py --pages 10000 --rounds 1``

Both read the sitemaps of the same website on loopback, fetch every listed page with 32 concurrent
requests, and produce a table. advertools runs ``sitemap_to_df``, runs ``crawl`` with that list, and
reads the result with pandas.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from measuring import Measured, audit_command, measure, print_results, record, website

ADVERTOOLS = """
import sys
import advertools, pandas
origin, folder = sys.argv[1:]
listed = advertools.sitemap_to_df(origin + "/sitemap.xml")
advertools.crawl(
    listed["loc"].tolist(),
    folder + "/crawl.jl",
    follow_links=False,
    # Its own filter would drop every URL with a port.
    allowed_domains=["127.0.0.1"],
    custom_settings={
        "LOG_LEVEL": "ERROR",
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
    },
)
print(len(pandas.read_json(folder + "/crawl.jl", lines=True)))
"""


GOALS = {"one process": ("12 times", ""), "two workers": ("", "20 times")}
"""What the processor time and the duration of advertools should be, against ours."""


def audit(origin: str, pages: int, workers: int) -> Measured:
    """Audit the website with this project."""
    with tempfile.TemporaryDirectory() as folder:
        done = measure(audit_command(origin, Path(folder), "--workers", str(workers)))
        assert f"{pages:,} listed URLs" in done.output, done.output
        return done


def crawl_with_advertools(origin: str, pages: int) -> Measured:
    """Audit the website with advertools."""
    with tempfile.TemporaryDirectory() as folder:
        done = measure([sys.executable, "-c", ADVERTOOLS, origin, folder], Path(folder))
        assert done.output.split()[-1] == str(pages), done.output
        return done


def main() -> None:
    """Measure both programs alternately; print the results and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    results: dict[str, list[Measured]] = {"one process": [], "two workers": [], "advertools": []}
    with website(options.pages) as origin:
        for _ in range(options.rounds):
            results["one process"].append(audit(origin, options.pages, 1))
            results["two workers"].append(audit(origin, options.pages, 2))
            results["advertools"].append(crawl_with_advertools(origin, options.pages))
    print(f"{options.pages:,} pages; rounds: {options.rounds}; medians:")
    print_results(results, options.pages)
    for name, goals in GOALS.items():
        pairs = list(zip(results[name], results["advertools"], strict=True))
        cheaper = statistics.median(other.cpu_seconds / own.cpu_seconds for own, other in pairs)
        faster = statistics.median(other.seconds / own.seconds for own, other in pairs)
        smaller = statistics.median(own.megabytes / other.megabytes for own, other in pairs)
        record(f"CPU seconds of advertools, against {name}", f"{cheaper:.1f} times", goals[0])
        record(f"seconds of advertools, against {name}", f"{faster:.1f} times", goals[1])
        record(f"peak memory of {name}, against advertools", f"{smaller:.2f} times", "0.25 times")


if __name__ == "__main__":
    main()
