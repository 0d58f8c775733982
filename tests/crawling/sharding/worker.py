"""Run folders of shards: what each worker read of one site, split by the hash."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sitemapaudit import Run, open_run
from sitemapaudit.audit import Audit
from sitemapaudit.config import AuditSettings
from sitemapaudit.items import Entries, Page, Rendering, Robots, Sitemap, SkipReason
from sitemapaudit.results.building import build_results
from sitemapaudit.runs.ledger.ledger import Ledger
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.merging.collecting import collect
from sitemapaudit.urls.shard import Shard
from tests.support.runs import build_run
from tests.support.settings import NO_RULES

Item = Robots | Sitemap | Entries | Page | Rendering


def owned_urls(shard: Shard, number: int) -> list[str]:
    """Return a number of URLs that a shard owns."""
    found: list[str] = []
    for place in range(1_000):
        url = f"https://www.example.com/{place}"
        if shard.owns(url):
            found.append(url)
        if len(found) == number:
            break
    return found


def entries_of(shard: Shard, entries: Entries) -> Entries:
    """Return entries as one shard writes them: it skips those of other shards."""
    rows = [
        row
        if row.url is None or shard.owns(row.url)
        else replace(row, skip_reason=SkipReason.SHARD)
        for row in entries.rows
    ]
    return Entries(entries.sitemap, rows)


def write_ledger(run: Path, items: Iterable[Item]) -> None:
    """Write the ledger of a worker, without findings and tables."""
    ledger = Ledger(run)
    for item in items:
        ledger.append(item)
    ledger.close()


def work(
    folder: Path, shard: Shard, items: Iterable[Item], started: int = 0, **values: Any
) -> Path:
    """Build the run folder of one worker, which started ``started`` seconds after the first."""
    run = folder / f"2026-11-21T12-00-0{started}Z"
    own = [entries_of(shard, item) if isinstance(item, Entries) else item for item in items]
    given = {"site": "www.example.com", "shard": str(shard), **values}
    build_run(run, own, rules=NO_RULES, **given)
    manifest = Manifest.read(run)
    manifest.started = f"2026-11-21T12:00:0{started}Z"
    manifest.write(run)
    return run


def merge(*runs: Path, into: Path | None = None) -> Run:
    """Merge shards, as ``sitemapaudit report`` does."""
    collection = collect([*map(str, runs)], into, lambda _: runs[0].parent)
    chosen = AuditSettings.from_scrapy(collection.first.manifest.settings)
    audit = Audit(chosen.rules)
    manifest = collection.write_ledger(audit)
    folder = collection.into
    build_results([folder], folder, manifest, audit, chosen)
    return open_run(folder)
