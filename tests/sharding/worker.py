"""Shards as workers leave them: what each read of one site, split by the hash."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from scrapy.settings import Settings

from sitemapaudit import Run, open_run
from sitemapaudit.audit import Audit
from sitemapaudit.collecting import collect
from sitemapaudit.concluding import conclude
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.ledger import Ledger
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.items import Entries, LeftOut, Page, Rendering, Robots, Sitemap
from sitemapaudit.sharding import Shard
from tests.support import NO_RULES, build_run

Item = Robots | Sitemap | Entries | Page | Rendering


def held(shard: Shard, number: int) -> list[str]:
    """Return so many URLs that belong to a shard."""
    found: list[str] = []
    for place in range(1_000):
        url = f"https://www.example.com/{place}"
        if shard.holds(url):
            found.append(url)
        if len(found) == number:
            break
    return found


def seen_by(shard: Shard, entries: Entries) -> Entries:
    """Return entries as one shard writes them down: it leaves out those of others."""
    rows = [
        row if row.url is None or shard.holds(row.url) else replace(row, left_out=LeftOut.SHARD)
        for row in entries.rows
    ]
    return Entries(entries.sitemap, rows)


def write_ledger(run: Path, items: Iterable[Item]) -> None:
    """Write down what a worker read, with no findings and no tables."""
    ledger = Ledger(run)
    for item in items:
        ledger.append(item)
    ledger.close()


def work(
    folder: Path, shard: Shard, items: Iterable[Item], started: int = 0, **values: Any
) -> Path:
    """Make the run folder of one worker, which began so many seconds after the first."""
    run = folder / f"2026-11-21T12-00-0{started}Z"
    seen = [seen_by(shard, item) if isinstance(item, Entries) else item for item in items]
    given = {"site": "www.example.com", "shard": str(shard), **values}
    build_run(run, seen, rules=NO_RULES, **given)
    manifest = Manifest.read(run)
    manifest.started = f"2026-11-21T12:00:0{started}Z"
    manifest.write(run)
    return run


def merge(*runs: Path, into: Path | None = None) -> Run:
    """Merge shards, as ``scrapy report`` does."""
    settings = Settings()
    collection = collect([*map(str, runs)], into, settings)
    settings.setdict(dict(collection.settings))
    audit = Audit(AuditSettings.of(settings).rules)
    manifest = collection.unite(audit)
    folder = collection.into
    conclude([folder], folder, manifest, audit, AuditSettings.of(settings))
    return open_run(folder)
