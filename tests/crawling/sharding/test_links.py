"""Shards that crawl links find, in several passes, what one process finds."""

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit import Run
from sitemapaudit.items import Region
from sitemapaudit.runs.folders import find_run
from sitemapaudit.urls.shard import Shard
from tests.crawling.links.graphs import Anchor, Graph, GraphSite
from tests.crawling.links.runs import by_path, roles
from tests.crawling.sharding.worker import merge
from tests.runs.killing import finish, kill, start, wait_for_pages, wait_for_run
from tests.support import settings

PAGES, SHARDS = 60, 3
QUICK: dict[str, Any] = {"AUDIT_RULES": settings.QUICK["AUDIT_RULES"]}
LATER = QUICK | {"AUDIT_RESULTS": "later"}
"""Only the merged run has results."""


def anchors(number: int) -> tuple[Anchor, ...]:
    """Return the links of a page: a long way through the website, and some others."""
    targets = {number * 4 % PAGES + step for step in range(4)} | {PAGES + number % 5}
    return tuple(Anchor(target, "root", "", Region.MAIN) for target in sorted(targets))


GRAPH = Graph(
    tuple(anchors(number) for number in range(PAGES)),
    (False,) * PAGES,
    (None,) * PAGES,
    (3, 40, 41, 57, 12),
)
UNLISTED = frozenset(range(1, PAGES + 5)) - {50}


def links(run: Path) -> list[tuple[object, ...]]:
    """Return the links of a run, and the figures of its URLs."""
    with duckdb.connect() as connection:
        rows = connection.execute(f"from '{run}/links.parquet' order by all").fetchall()
        figures = f"select url, inlinks, inlinks_follow, clicks from '{run}/urls.parquet'"
        return rows + connection.execute(f"{figures} order by all").fetchall()


def incomplete_merge(tmp_path: Path, audits: list[Path]) -> Run:
    return merge(*map(find_run, audits), into=tmp_path / "merged" / "run")


@pytest.mark.xdist_group("kills")
def test_passes_of_shards_find_what_one_process_finds(tmp_path: Path) -> None:
    with GraphSite(GRAPH, UNLISTED) as site:
        given = (f"site={site.origin}", "links=crawl")
        finish(start(tmp_path / "one", *given, **QUICK))
        site.requests.clear()
        audits = [tmp_path / str(number) for number in range(1, SHARDS + 1)]
        owner = Shard(1, SHARDS).index_of(f"{site.origin}/")
        for number, folder in enumerate(audits, start=1):
            shard = f"shard={number}/{SHARDS}"
            if number != owner:
                finish(start(folder, *given, shard, **LATER))
                continue
            process = start(folder, *given, shard, DOWNLOAD_DELAY=0.5, **LATER)
            killed = wait_for_run(folder, process)
            wait_for_pages(killed, process)
            assert kill(process)
            finish(start(folder, f"resume={killed}", DOWNLOAD_DELAY=0))
        run = incomplete_merge(tmp_path, audits)
        assert not run.manifest.complete
        # How many passes it takes depends on the owners, and these on the port of the site.
        waiting = [run.manifest.waiting_links]
        assert f"{waiting[0]:,} linked URLs that shards found" in str(run.manifest.reason)
        while run.manifest.waiting_links:
            for folder in audits:
                resumed = f"resume={find_run(folder)}", f"found={run.path}"
                finish(start(folder, *resumed))
            run = incomplete_merge(tmp_path, audits)
            waiting.append(run.manifest.waiting_links)
            assert len(waiting) < PAGES
        requested = by_path(site)
    assert run.manifest.complete, run.manifest.reason
    one = find_run(tmp_path / "one")
    assert roles(run.path) == roles(one)
    assert links(run.path) == links(one)
    # Each shard fetches the targets of redirects that it finds.
    pages = Counter({path: n for path, n in requested.items() if path.startswith("/section")})
    assert max(pages.values()) <= SHARDS
