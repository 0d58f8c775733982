"""Links survive what happens to the processes of a run."""

import random
import time
from pathlib import Path

import pytest

from tests.crawling.links.graphs import GraphSite, ring
from tests.crawling.links.runs import check
from tests.runs.killing import finish, kill, start, wait_for_pages, wait_for_run
from tests.support.settings import QUICK
from tests.workers.running import wait_for_workers

pytestmark = pytest.mark.xdist_group("kills")

GRAPH = ring(160)
FIRST = 100
"""Pages that are served before an audit is killed."""

RULES = QUICK["AUDIT_RULES"]


def test_workers_send_their_links(tmp_path: Path) -> None:
    with GraphSite(GRAPH) as site:
        site.open.clear()
        process = start(
            tmp_path, f"site={site.origin}", "links=record", "workers=2", AUDIT_RULES=RULES
        )
        run = wait_for_run(tmp_path, process)
        wait_for_workers(tmp_path)
        site.open.set()
        finish(process)
        assert "Workers fetched" in (run / "crawl.log").read_text()
        check(run, site.origin, GRAPH)


@pytest.mark.parametrize("arguments", [(), ("workers=2",)], ids=["alone", "workers"])
def test_a_killed_run_has_all_links_after_it_is_resumed(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    with GraphSite(GRAPH, first=FIRST) as site:
        site.open.clear()
        process = start(
            tmp_path, f"site={site.origin}", "links=record", *arguments, AUDIT_RULES=RULES
        )
        run = wait_for_run(tmp_path, process)
        wait_for_pages(run, process)
        time.sleep(random.Random(len(arguments)).uniform(0, 0.1))
        assert kill(process)
        site.open.set()
        finish(start(tmp_path, f"resume={run}", *arguments, AUDIT_RULES=RULES))
        check(run, site.origin, GRAPH)


def test_pages_whose_links_are_lost_are_fetched_again(tmp_path: Path) -> None:
    with GraphSite(GRAPH, first=FIRST) as site:
        site.open.clear()
        process = start(tmp_path, f"site={site.origin}", "links=record", AUDIT_RULES=RULES)
        run = wait_for_run(tmp_path, process)
        wait_for_pages(run, process, 20_000)
        assert kill(process)
        site.open.set()
        for name in ("links.edges", "links.urls"):
            file = run / "log" / name
            file.write_bytes(file.read_bytes()[: file.stat().st_size // 2] + bytes(1_000))
        finish(start(tmp_path, f"resume={run}", AUDIT_RULES=RULES))
        check(run, site.origin, GRAPH)
