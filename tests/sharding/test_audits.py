"""Four workers find what one finds: with one that is killed and resumed, too."""

from collections import Counter
from pathlib import Path

from sitemapaudit import open_run
from tests.resuming.killing import at_work, begun, datasets, finish, kill, start
from tests.resuming.site import Site
from tests.sharding.worker import merge

URLS = 240
WORKERS = 4


def test_four_workers_find_what_one_finds(tmp_path: Path) -> None:
    with Site(URLS) as site:
        finish(start(tmp_path / "one", f"site={site.origin}"))
        alone = pages_of(site.take_asked())
        audits = [tmp_path / str(number) for number in range(1, WORKERS + 1)]
        shards = [f"shard={number}/{WORKERS}" for number in range(1, WORKERS + 1)]
        workers = [
            start(folder, f"site={site.origin}", shard)
            for folder, shard in zip(audits, shards, strict=True)
        ]
        killed = begun(audits[0], workers[0])
        at_work(killed, workers[0])
        assert kill(workers[0])
        for worker in workers[1:]:
            finish(worker)
        cut_short = merge(*audits, into=tmp_path / "merged" / "run").manifest
        assert not cut_short.complete
        assert cut_short.reason == "shard 1 of 4: the run was cut short"
        finish(start(audits[0], f"resume={killed}"))
        asked = pages_of(site.take_asked())
    run = merge(*audits, into=tmp_path / "merged" / "run")
    assert run.manifest.complete
    assert run.manifest.resumed
    tables, whole = datasets(run.path), datasets(open_run(tmp_path / "one").path)
    for table, rows in whole.items():
        assert tables[table] == rows, table
    assert asked.keys() == alone.keys()


def pages_of(asked: Counter[str]) -> Counter[str]:
    """Return how often each page was asked for: not the sitemaps, which each worker reads."""
    return Counter({url: number for url, number in asked.items() if "/page/" in url})
