"""AUDIT_MAX_URLS makes a sample smaller: nothing is lost then, and the result says what is."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.demo.server import Reply
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.urls.shard import Shard
from tests.crawling.sharding.worker import merge
from tests.runs.killing import read_rows
from tests.runs.site import Site
from tests.support.audits import crawl

URLS = 40
LIMIT = 9
SAMPLES = [
    pytest.param({"pages": "30"}, 30 - LIMIT, id="size"),
    pytest.param({"pages": "±5%"}, URLS - LIMIT, id="margin"),
    pytest.param({"render": "3"}, URLS - LIMIT, id="render"),
]


class Plain(Site):
    """No page leads to another one."""

    def _page(self, path: str, number: int) -> Reply:
        return super()._page(path, 4 if number % 3 else 7)


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Plain(URLS) as site:
        yield site


def check_limited(run: Run, omitted: int) -> None:
    manifest = run.manifest
    assert not manifest.damage
    assert manifest.limits == {"AUDIT_MAX_URLS": omitted}
    assert manifest.complete is False
    assert manifest.reason == f"AUDIT_MAX_URLS skipped {omitted}"
    assert len(fetched(run)) == LIMIT


def fetched(run: Run) -> set[str]:
    return set(run.urls[run.urls["verdict"] != "unchecked"]["url"])


@pytest.mark.parametrize(("arguments", "omitted"), SAMPLES)
def test_a_limit_makes_a_sample_smaller_also_if_the_run_is_resumed(
    site: Site, tmp_path: Path, arguments: dict[str, str], omitted: int
) -> None:
    given = {"site": site.origin, **arguments}
    whole = crawl(tmp_path / "whole", given, {"AUDIT_MAX_URLS": str(LIMIT)}).run
    check_limited(whole, omitted)
    assert whole.manifest.sample is None or whole.manifest.sample.drawn == LIMIT
    folder = Path(shutil.copytree(whole.path, tmp_path / "resumed" / "site" / whole.path.name))
    (folder / "run.json").write_text(
        json.dumps(
            json.loads((folder / "run.json").read_text()) | {"status": "running", "finished": None}
        )
    )
    for table, kept in (("pages", 4), ("entries", 20)):
        file = ledger_file(folder, table)
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:kept]))
    crawl(tmp_path / "resumed", {"resume": str(folder)})
    run = open_run(folder)
    check_limited(run, omitted)
    assert fetched(run) == fetched(whole)
    resumed, expected = read_rows(folder), read_rows(whole.path)
    for table in ("urls", "entries", "findings", "estimates"):
        assert resumed.get(table) == expected.get(table)


def test_shards_share_a_limited_sample(site: Site, tmp_path: Path) -> None:
    shards = [Shard(1, 2), Shard(2, 2)]
    runs = []
    for shard in shards:
        given = {"site": site.origin, "pages": "30", "shard": str(shard)}
        runs.append(crawl(tmp_path / str(shard.index), given, {"AUDIT_MAX_URLS": str(LIMIT)}).run)
    assert [run.manifest.damage for run in runs] == [{}, {}]
    run = merge(*(tmp_path / str(shard.index) for shard in shards), into=tmp_path / "run")
    check_limited(run, 30 - LIMIT)
