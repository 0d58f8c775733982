"""Audits of the same site have the same tables, whichever response arrives first."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from sitemapaudit.crawling.rechecks import SAMPLE
from sitemapaudit.demo.server import Reply
from sitemapaudit.runs.ledger.ledger import count_lines, ledger_file
from tests.runs.killing import finish, kill, start, wait_for_run, without_times
from tests.runs.site import Site

URLS = 80
TIMES = {
    "robots": "fetched_at, headers",
    "sitemaps": "elapsed, fetched_at, headers",
    "pages": "elapsed, fetched_at, date, headers",
    "urls": "response_seconds",
}
"""The columns of each table that contain times."""

pytestmark = pytest.mark.xdist_group("equal-audits")


class Unsteady(Site):
    """Responds to each path in the same way, after a random time; a quarter of the URLs fail."""

    def _page(self, path: str, number: int) -> Reply:
        reply = super()._page(path, number) if number % 4 else Reply(status=503)
        reply.delay = random.uniform(0, 0.02)
        return reply


def rows(run: Path) -> dict[str, list[str]]:
    """Return the rows of every table in order, without times and the random URL of a host."""
    tables = {}
    with duckdb.connect() as connection:
        for file in run.glob("*.parquet"):
            columns = without_times(TIMES.get(file.stem, ""))
            where = "where role <> 'probe'" if file.stem == "pages" else ""
            query = f"select to_json(t)::varchar from (select {columns} from '{file}' {where}) as t"
            tables[file.stem] = [text for (text,) in connection.sql(query).fetchall()]
    return tables


@pytest.fixture(scope="module")
def site() -> Iterator[Unsteady]:
    with Unsteady(URLS) as served:
        yield served


@pytest.fixture(scope="module")
def expected(site: Unsteady, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    audits = tmp_path_factory.mktemp("whole")
    process = start(audits, f"site={site.origin}")
    run = wait_for_run(audits, process)
    finish(process)
    assert count_lines(ledger_file(run, "rechecks")) == SAMPLE < URLS // 4
    return rows(run)


def test_workers_change_nothing(
    site: Unsteady, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    process = start(tmp_path, f"site={site.origin}", "workers=2")
    run = wait_for_run(tmp_path, process)
    finish(process)
    assert rows(run) == expected


def test_a_kill_between_rechecks_changes_nothing(
    site: Unsteady, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    process = start(tmp_path, f"site={site.origin}")
    run = wait_for_run(tmp_path, process)
    while not count_lines(ledger_file(run, "rechecks")):
        time.sleep(0.001)
    assert kill(process)
    finish(start(tmp_path, f"resume={run}"))
    assert rows(run) == expected
