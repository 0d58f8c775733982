"""Four workers find the same as one, even if one of them is killed and resumed."""

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.demo.server import Reply
from sitemapaudit.runs.folders import find_run, has_tables
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.urls.shard import Shard
from tests.crawling.sharding.worker import merge
from tests.runs.killing import finish, kill, read_rows, start, wait_for_pages, wait_for_run
from tests.runs.site import Site
from tests.support.commands import run_in_process

pytestmark = pytest.mark.xdist_group("shards")

URLS = 80
WORKERS = 4


class Languages(Site):
    """Some pages have alternates: the next page, which is listed, and one that is not."""

    def _page(self, path: str, number: int) -> Reply:
        reply = super()._page(path, number)
        if number % 20 > 6 and path.startswith("/page/"):
            links = (f"/page/{(number + 1) % self.urls}", f"/de/{number % 30}")
            alternates = "".join(
                f'<link rel="alternate" hreflang="{code}" href="{link}">'
                for code, link in zip(("fr", "de"), links, strict=True)
            )
            reply.body = str(reply.body).replace("</head>", f"{alternates}</head>")
        return reply


@dataclass(frozen=True)
class Alone:
    """A website, the tables of an audit by one process, and the pages that it requested."""

    site: Site
    rows: Mapping[str, Counter[str]]
    pages: Counter[str]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Alone]:
    folder = tmp_path_factory.mktemp("one")
    with Languages(URLS) as site:
        finish(start(folder, f"site={site.origin}"))
        yield Alone(site, read_rows(open_run(folder).path), pages_of(site.take_requests()))


def pages_of(requests: Counter[str]) -> Counter[str]:
    """Return how often each page was fetched; every worker reads the sitemaps."""
    return Counter({url: number for url, number in requests.items() if "/page/" in url})


def assert_same(run: Run, alone: Alone) -> None:
    """Check that a merged run is complete, and its tables are those of the audit by one process."""
    assert run.manifest.complete, run.manifest.reason
    tables = read_rows(run.path)
    for table, rows in alone.rows.items():
        assert tables[table] == rows, table


def test_four_workers_find_the_same_as_one(alone: Alone, tmp_path: Path) -> None:
    site = alone.site
    site.take_requests()
    audits = [tmp_path / str(number) for number in range(1, WORKERS + 1)]
    # The first is slow, so that it is killed before its end: shards wait four times as long.
    workers = [
        start(
            folder,
            f"site={site.origin}",
            f"shard={number}/{WORKERS}",
            DOWNLOAD_DELAY=0 if number > 1 else 0.1,
            AUDIT_RESULTS="later",
        )
        for number, folder in enumerate(audits, start=1)
    ]
    killed = wait_for_run(audits[0], workers[0])
    wait_for_pages(killed, workers[0])
    assert kill(workers[0])
    for worker in workers[1:]:
        finish(worker)
    interrupted = merge(*audits, into=tmp_path / "merged" / "run").manifest
    assert not interrupted.complete
    assert interrupted.reason == "shard 1 of 4: the run was interrupted"
    finish(start(audits[0], f"resume={killed}", DOWNLOAD_DELAY=0))
    run = merge(*audits, into=tmp_path / "merged" / "run")
    assert run.manifest.resumed
    assert_same(run, alone)
    assert pages_of(site.take_requests()).keys() == alone.pages.keys()


def test_shards_of_a_finished_run_request_no_sitemap(alone: Alone, tmp_path: Path) -> None:
    site = alone.site
    finish(start(tmp_path / "read", f"site={site.origin}", "pages=none"))
    site.take_requests()
    read, audits = open_run(tmp_path / "read").path, [tmp_path / str(n) for n in (1, 2, 3)]
    arguments = [(f"entries_from={read}", f"shard={number}/3") for number in (1, 2, 3)]
    slow = start(audits[0], *arguments[0], DOWNLOAD_DELAY=0.5)
    killed = wait_for_run(audits[0], slow)
    wait_for_pages(killed, slow)
    assert kill(slow)
    shutil.rmtree(read / "entries-by-digest")  # The resumed shard makes it again.
    finish(start(audits[1], *arguments[1], AUDIT_RESULTS="later"))
    finish(start(audits[0], f"resume={killed}", DOWNLOAD_DELAY=0))
    requests = site.take_requests()
    assert not [url for url in requests if "sitemap" in url or "robots" in url]
    age_robots(read, days=2)
    finish(start(audits[2], *arguments[2], AUDIT_RESULTS="later"))
    requests = site.take_requests()
    assert [url for url in requests if "sitemap" in url or "robots" in url] == [
        f"{site.origin}/robots.txt".removeprefix("http://")
    ]
    assert any("/de/" in url for url in requests)
    others = [url for url in pages_of(requests) if not Shard(3, 3).owns(f"http://{url}")]
    assert all(url.endswith("0") for url in others), "only targets of redirects"
    run = merge(*audits, into=tmp_path / "merged" / "run")
    assert_same(run, alone)
    # The first has its own results, the others only their ledgers.
    own = open_run(audits[0])
    assert (own.manifest.damage, own.manifest.complete) == ({}, True)
    assert 0 < len(own.urls) < len(run.urls)
    ledgers = [find_run(folder) for folder in audits[1:]]
    assert [*map(has_tables, ledgers)] == [False, False]
    assert {Manifest.read(ledger).reason for ledger in ledgers} == {"its results are not built yet"}
    assert not [*tmp_path.glob("*/*/*/listed")]
    assert run_in_process("report", str(ledgers[0])).returncode == 3  # It is a part of the audit.
    assert Manifest.read(ledgers[0]).complete


def age_robots(run: Path, days: int) -> None:
    """Let the robots.txt rows of a run be older."""
    file = run / "robots.parquet"
    older = f"fetched_at - interval {days} day as fetched_at"
    with duckdb.connect() as connection:
        connection.execute(f"create table rows as select * replace ({older}) from '{file}'")
        connection.execute(f"copy rows to '{file}'")
