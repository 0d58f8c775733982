"""The ledgers of several shards → the ledger of one run, in which each row is there once.

Every shard reads robots.txt and the sitemaps itself, perhaps while the site changes, and several
may come to the same target of a redirect or canonical. Whose word counts is one rule: of a URL,
and of its entries, that of the shard that holds it. Where that has none, as of what every shard
reads, the best reading counts, and of equal ones that of the first shard.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import msgspec

from sitemapaudit.audit import Audit, Item
from sitemapaudit.datasets.ledger import ledger_file, sound_rows
from sitemapaudit.datasets.rewriting import in_batches, rewrite
from sitemapaudit.items import (
    Entry,
    Kind,
    LeftOut,
    Page,
    Permission,
    Reason,
    Rendering,
    Robots,
    Role,
    Sitemap,
)
from sitemapaudit.sharding import Shard
from sitemapaudit.urls import origin
from sitemapaudit.urlset import UrlSet

T = TypeVar("T")


def merge(runs: Mapping[Shard, Path], into: Path, audit: Audit) -> dict[Shard, dict[str, int]]:
    """Write the ledger of a run folder from those of these shards.

    Findings are made anew from the rows. Return how many lines of each table
    of each shard could not be read, where they were needed.
    """
    logs = [_Log(shard, runs[shard]) for shard in sorted(runs)]
    rewrite(into, _merged(logs), audit)
    return {log.shard: dict(log.damage) for log in logs if log.damage}


def _merged(logs: Sequence[_Log]) -> Iterator[Item]:
    yield from _robots(logs)
    for readings in _readings(logs).values():
        yield from _file(readings, {log.shard for log in logs})
    yield from _Pages(logs).rows()


class _Place(msgspec.Struct):
    """What of an entry tells where it is listed."""

    sitemap: str


class _Glance(msgspec.Struct):
    """What of a page tells whether its row counts."""

    url: str
    role: Role
    status: int | None = None
    render: Reason | None = None


class _Log:
    """The ledger of one shard."""

    def __init__(self, shard: Shard, run: Path) -> None:
        self.shard = shard
        self.damage = Counter[str]()
        self._run = run

    def rows(self, table: str, item: type[T], begin: int = 0) -> Iterator[T]:
        """Yield the rows of a table; damaged lines are counted."""
        return sound_rows(self._run, table, item, self.damage, begin=begin)

    def glance(self) -> Iterator[_Glance]:
        """Yield the pages, a few columns of each."""
        return sound_rows(self._run, "pages", _Glance)

    def places(self) -> dict[str, tuple[int, int]]:
        """Return at which byte the entries of each sitemap begin, and how many there are."""
        places: dict[str, tuple[int, int]] = {}
        file, decoder, here = ledger_file(self._run, "entries"), msgspec.json.Decoder(_Place), 0
        if file.exists():
            with file.open("rb") as lines:
                for line in lines:
                    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                        name = decoder.decode(line).sitemap
                        begin, number = places.get(name, (here, 0))
                        places[name] = begin, number + 1
                    here += len(line)
        return places


def _robots(logs: Iterable[_Log]) -> Iterable[Robots]:
    best: dict[str, Robots] = {}
    for log in logs:
        for row in {row.site: row for row in log.rows("robots", Robots)}.values():
            best[row.site] = max(best.get(row.site, row), row, key=_speaks)
    return best.values()


def _speaks(row: Robots) -> bool:
    return row.error is None and row.permission in (Permission.RULES, Permission.ALL)


@dataclass(slots=True, frozen=True)
class _Reading:
    """What one shard read of a sitemap: its entries ``begin`` at that byte of the ledger."""

    log: _Log
    row: Sitemap
    begin: int
    whole: bool

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """The better, the higher."""
        row = self.row
        return self.whole, row.error is None, row.kind not in (Kind.HTML, Kind.UNKNOWN)

    def entries(self) -> Iterator[Entry]:
        """Yield its entries: those of a file stand together."""
        rows = self.log.rows("entries", Entry, self.begin)
        return takewhile(lambda entry: entry.sitemap == self.row.sitemap, rows)


def _readings(logs: Iterable[_Log]) -> dict[str, list[_Reading]]:
    """Return the readings of each sitemap, in the order of the shards."""
    readings: dict[str, list[_Reading]] = {}
    for log in logs:
        places = log.places()
        for row in {row.sitemap: row for row in log.rows("sitemaps", Sitemap)}.values():
            begin, number = places.get(row.sitemap, (0, 0))
            reading = _Reading(log, row, begin, row.complete and number == row.entries)
            readings.setdefault(row.sitemap, []).append(reading)
    return readings


def _file(readings: Sequence[_Reading], shards: set[Shard]) -> Iterator[Item]:
    """Yield the row of a sitemap, and its entries in their order."""
    best = max(readings, key=lambda reading: reading.rank)
    good = {each.log.shard: each for each in readings if each.rank == best.rank}
    yield best.row
    kept = (_kept(each, best, good, shards) for each in good.values())
    entries = heapq.merge(*kept, key=lambda entry: entry.position)
    yield from in_batches(best.row.sitemap, entries)


def _kept(
    reading: _Reading, best: _Reading, good: Mapping[Shard, _Reading], shards: set[Shard]
) -> Iterator[Entry]:
    """Yield the entries on which this reading has the word."""
    shard = reading.log.shard
    for entry in reading.entries():
        is_page = entry.url is not None and entry.kind is not Kind.SITEMAPINDEX
        holder = shard.holder(entry.url) if is_page and entry.url else best.log.shard
        if good.get(holder, best) is reading:
            missed = entry.left_out is LeftOut.SHARD and holder in shards
            yield replace(entry, left_out=None) if missed else entry


class _Pages:
    """Decides whose row of a page counts; of the random addresses of a host there is one."""

    def __init__(self, logs: Sequence[_Log]) -> None:
        self._logs = logs
        self._held = UrlSet()
        self._answered = UrlSet()
        self._others = UrlSet()
        self._probes: dict[str, tuple[bool, bool, str]] = {}
        for log in logs:
            for row in log.glance():
                self._take_note(log.shard, row)

    def rows(self) -> Iterator[Page | Rendering]:
        """Yield the pages, and the renderings of the same answers."""
        for log in self._logs:
            yield from (row for row in log.rows("pages", Page) if self._counts(log.shard, row))
        for log in self._logs:
            for row in log.rows("renderings", Rendering):
                if row.reason is Reason.COMPARISON:
                    if self._is_chosen(row.url):
                        yield row
                elif log.shard.holds(row.url):
                    yield row

    def _take_note(self, shard: Shard, row: _Glance) -> None:
        if row.role is Role.PROBE:
            site = origin(row.url)
            probe = row.status is not None, row.render is not None, row.url
            if site not in self._probes or probe[:2] > self._probes[site][:2]:
                self._probes[site] = probe
        elif shard.holds(row.url):
            self._held.add(row.url)
        elif row.status is not None:
            self._answered.add(row.url)

    def _counts(self, shard: Shard, page: Page) -> bool:
        if page.role is Role.PROBE:
            return self._is_chosen(page.url)
        if shard.holds(page.url):
            return True
        if page.url in self._held or (page.status is None and page.url in self._answered):
            return False
        return self._others.add(page.url)

    def _is_chosen(self, probe: str) -> bool:
        return self._probes.get(origin(probe), (False, False, ""))[2] == probe
