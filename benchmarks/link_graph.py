"""Measures the tables of a large link graph: inlinks, clicks and ``links.parquet``.

``python benchmarks/link_graph.py --pages 100000 1000000 --links 10000000``

The links are simulated: a fifth of those of each page stand on all pages, the others lead anywhere.
They are written to the files that a crawl writes, and read by the code that an audit runs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from measuring import measure, record

from sitemapaudit import urls
from sitemapaudit.audit import Audit
from sitemapaudit.datasets.build import Build
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.recipe import create_relations
from sitemapaudit.pages.links import NOFOLLOW, PageLinks
from sitemapaudit.runs.ledger.link_log import LinkLog, LinkRecord
from sitemapaudit.runs.manifest import Manifest, Status

SITE = "https://www.example.com"
MENU = 20
MEMORY = 1_024


def page_url(number: int) -> str:
    """Return the URL of a page; the first is the home page."""
    if number == 0:
        return f"{SITE}/"
    return f"{SITE}/category-{number % 97}/the-name-of-a-product-{number:07}.html"


def write_log(run: Path, pages: int, links: int) -> None:
    """Write the links of all pages."""
    random = np.random.default_rng(1)
    names = [*map(page_url, range(pages))]
    targets = [*map(urls.digest_bytes, names)]
    unnamed = dict(zip(targets, names, strict=True))
    per_page = links // pages
    log = LinkLog(run)
    for number, source in enumerate(targets):
        menu = range(min(MENU, per_page // 5))
        others = random.integers(0, pages, per_page - len(menu)).tolist()
        found = [targets[each] for each in dict.fromkeys([*menu, *others]) if each != number]
        edges = b"".join(each + bytes([number % NOFOLLOW % 6]) for each in found)
        log.write(LinkRecord.of(PageLinks(names[number], source, found, edges, unnamed)))
    log.close()


def build(run: Path, pages: int) -> None:
    """Build the tables of the links of a run."""
    with connect(run / "scratch", MEMORY) as connection:
        connection.execute(f"create table robots as select '{SITE}' as site, true as audited")
        manifest = Manifest({"links": "record"}, {}, {}, "", Status.FINISHED)
        tables = Build(connection, manifest, Audit(), [run], run, {"robots"})
        # The ledger has no pages: so their tables are empty, and have all columns.
        create_relations(tables, ["pages", "listed"])
        connection.execute(
            "create table given as select case i when 0 then $site || '/' else format("
            " '{}/category-{}/the-name-of-a-product-{:07}.html', $site, i % 97, i) end as url,"
            " true as is_html, 'listed' as role"
            " from range($pages) as numbers(i)",
            {"site": SITE, "pages": pages},
        )
        connection.execute("insert into pages by name from given")
        connection.execute("insert into listed by name select url from given")
        create_relations(tables, ["links", "link_counts", "duplicate_links"])
        rows = connection.execute(
            "select (select count(*) from edges), (select sum(inlinks) from link_counts),"
            " (select count(*) from clicks), (select max(clicks) from clicks)"
        ).fetchall()
        edges, inlinks, reached, clicks = rows[0]
        print(f"{edges} edges, {inlinks} inlinks, {reached} pages reached in {clicks} clicks")


def main() -> None:
    """Write a log for each number of pages, and measure the tables in a process of their own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("--build", type=Path)
    options = parser.parse_args()
    if options.build:
        build(options.build, options.pages[0])
        return
    for pages in options.pages:
        with tempfile.TemporaryDirectory() as folder:
            write_log(Path(folder), pages, options.links)
            command = [sys.executable, __file__, "--build", folder, "--pages", str(pages)]
            done = measure(command)
            print(done.output.splitlines()[0])
            what = f"graph of {pages:,} pages and {options.links:,} links"
            record(f"{what}, time", f"{done.seconds:.0f} s", "60 s")
            record(f"{what}, memory", f"{done.megabytes:.0f} MB", "1,500 MB")


if __name__ == "__main__":
    main()
