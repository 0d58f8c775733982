"""The whole audit against advertools, as its users do the same job, in one run.

``python benchmarks/audit_against_advertools.py --pages 10000 --rounds 1``

Both read the sitemaps of the same website on loopback, ask for every listed
page (32 at once), and end with a table that can be looked at. advertools:
``sitemap_to_df``, ``crawl`` of that list, the result read back with pandas.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from measuring import Measured, audit_command, measure, print_sides, website

PEER = """
import sys
import advertools, pandas
origin, folder = sys.argv[1:]
listed = advertools.sitemap_to_df(origin + "/sitemap.xml")
advertools.crawl(
    listed["loc"].tolist(),
    folder + "/crawl.jl",
    follow_links=False,
    # Its own filter drops every URL of a host with a port, unless told otherwise.
    allowed_domains=["127.0.0.1"],
    custom_settings={
        "LOG_LEVEL": "ERROR",
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
    },
)
print(len(pandas.read_json(folder + "/crawl.jl", lines=True)))
"""


def audited(origin: str, pages: int) -> Measured:
    """Audit the website with this project."""
    with tempfile.TemporaryDirectory() as folder:
        done = measure(audit_command(origin, Path(folder)))
        assert f"{pages:,} listed URLs" in done.output, done.output
        return done


def crawled(origin: str, pages: int) -> Measured:
    """Do the same job with advertools."""
    with tempfile.TemporaryDirectory() as folder:
        done = measure([sys.executable, "-c", PEER, origin, folder], Path(folder))
        assert done.output.split()[-1] == str(pages), done.output
        return done


def main() -> None:
    """Measure both sides in turn, and print the figures and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    sides: dict[str, list[Measured]] = {"sitemapaudit": [], "advertools": []}
    with website(options.pages) as origin:
        for _ in range(options.rounds):
            sides["sitemapaudit"].append(audited(origin, options.pages))
            sides["advertools"].append(crawled(origin, options.pages))
    print(f"{options.pages:,} pages, median of {options.rounds}")
    print_sides(sides, options.pages)
    pairs = list(zip(sides["sitemapaudit"], sides["advertools"], strict=True))
    faster = statistics.median(peer.seconds / own.seconds for own, peer in pairs)
    smaller = statistics.median(own.megabytes / peer.megabytes for own, peer in pairs)
    print(f"pages per second: {faster:.1f} times those of advertools")
    print(f"peak memory: {smaller:.2f} of that of advertools")


if __name__ == "__main__":
    main()
