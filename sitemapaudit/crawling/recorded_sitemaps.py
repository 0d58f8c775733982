"""The sitemaps that an earlier run read, in place of those of the site."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sitemapaudit import urls
from sitemapaudit.config import Config, Site
from sitemapaudit.fetching.responses import Responses
from sitemapaudit.hosts.hosts import Hosts
from sitemapaudit.items import Entries, Robots, Sitemap
from sitemapaudit.runs.ledger.resuming import is_recent
from sitemapaudit.runs.ledger.rewriting import in_batches

if TYPE_CHECKING:
    from sitemapaudit.datasets.listed_entries import ListedRun

_SCRATCH: Final = "listed"


class RecordedSitemaps:
    """Yields the rows of robots.txt files and sitemaps, and the entries of this shard.

    It has the methods of ``Discovery``. The row of a sitemap comes after all entries: a resumed run
    takes the entries again of every sitemap without a row.
    """

    def __init__(self, config: Config, hosts: Hosts, responses: Responses, run: Path) -> None:
        self._config = config
        self._hosts = hosts
        self._responses = responses
        self._scratch = run / _SCRATCH
        self._restored: set[str] = set()
        self._rows: dict[str, Sitemap] = {}
        self._listed: ListedRun | None = None

    def restore(self, row: Sitemap, children: list[str]) -> None:  # noqa: ARG002 - as Discovery
        """Take over a sitemap that was read before the run was resumed."""
        self._restored.add(row.sitemap)

    async def start(self, sites: Iterable[Site], given: Iterable[str]) -> AsyncIterator[Robots]:
        """Yield the row of each robots.txt; then the audited origins are known."""
        hosts = self._hosts
        listed = await asyncio.to_thread(self._open)
        rows = {row.site: row for row in listed.robots()}
        hosts.sites.update(map(urls.origin, given))
        audited = [name for site in sites for name in site.origins if name in rows]
        hosts.sites.update(audited)
        hosts.audited.update(audited)
        site_url = self._config.staging.site_url
        for name in audited:
            declared = (site_url(line.url) for line in rows[name].sitemaps if line.url)
            hosts.audited.update(map(urls.origin, declared))
        for row in rows.values():
            if hosts.origin(row.site).row is None and (current := await self._current(row)):
                yield current

    async def _current(self, row: Robots) -> Robots | None:
        """Return the row of a robots.txt; it is read again if it is too old to be obeyed."""
        if is_recent(row):
            self._hosts.restore(row)
            return row
        fresh = await self._hosts.read(self._hosts.origin(row.site))
        return fresh and replace(
            fresh,
            well_known_tried=row.well_known_tried,
            well_known_found=row.well_known_found,
            well_known_outcomes=row.well_known_outcomes,
        )

    def is_known(self, url: str) -> bool:
        """Return whether a URL is that of a sitemap."""
        return url in self._rows

    async def read_sitemaps(self) -> AsyncIterator[Sitemap | Entries]:
        """Yield the entries of this shard, and all sitemaps."""
        assert self._listed is not None
        self._rows = {row.sitemap: row for row in self._listed.sitemaps()}
        for row in self._rows.values():
            self._responses.restore_sitemap(row)
        entries = await asyncio.to_thread(self._listed.entries, self._config.arguments.shard)
        for name, group in groupby(entries, key=attrgetter("sitemap")):
            if name in self._restored:
                continue
            for batch in in_batches(name, group):
                for entry in batch.rows:
                    entry.skip_reason = None
                yield batch
                await asyncio.sleep(0)
        for name, row in self._rows.items():
            if name not in self._restored:
                yield row
        shutil.rmtree(self._scratch, ignore_errors=True)

    def listed_elsewhere(self) -> Iterator[str]:
        """Yield the listed URLs of other shards, which the earlier run has."""
        assert self._listed is not None
        shard = self._config.arguments.shard
        yield from (url for url in self._listed.urls() if not shard.owns(url))
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _open(self) -> ListedRun:
        # Few runs need DuckDB here.
        from sitemapaudit.datasets.listed_entries import open_listed  # noqa: PLC0415

        arguments, memory = self._config.arguments, self._config.settings.memory
        assert arguments.entries_from is not None
        place, shard = arguments.entries_from, arguments.shard
        self._listed = open_listed(place, shard, self._scratch, memory)
        return self._listed
