"""The ledgers of several shards → the ledger of one run, with each row once.

Every shard reads robots.txt and the sitemaps itself, perhaps while the site changes, and several
can fetch the same target of a redirect or canonical. One rule decides which row wins. For a URL
and its entries, the shard that owns the URL wins. For everything else, and if the owner has no
row, the best reading wins, and of equal readings that of the first shard.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from sitemapaudit.audit import Audit, Item
from sitemapaudit.items import (
    AgentPage,
    Entry,
    Kind,
    MediaFile,
    Page,
    Permission,
    RecheckedPage,
    Rendering,
    RenderReason,
    Robots,
    Role,
    Sitemap,
    SkipReason,
)
from sitemapaudit.runs.ledger.entry_lines import KEYS
from sitemapaudit.runs.ledger.ledger import ledger_file, read_line, readable_rows
from sitemapaudit.runs.ledger.rewriting import in_batches, rewrite_ledger
from sitemapaudit.urls import origin
from sitemapaudit.urls.shard import Shard
from sitemapaudit.urls.url_set import UrlSet

T = TypeVar("T")


def merge(
    runs: Mapping[Shard, Path], into: Path, audit: Audit, *, own_entries: bool = False
) -> dict[Shard, dict[str, int]]:
    """Write the ledger of a run folder from those of its shards, with new findings.

    With ``own_entries``, each shard has only its own entries of a sitemap, and those without a
    page. Return how many lines that were needed were unreadable, per table of each shard.
    """
    logs = [_Log(shard, runs[shard], own_entries=own_entries) for shard in sorted(runs)]
    rewrite_ledger(into, _merged(logs), audit)
    return {log.shard: dict(log.damage) for log in logs if log.damage}


def _merged(logs: Sequence[_Log]) -> Iterator[Item]:
    yield from _robots(logs)
    for readings in _readings(logs).values():
        yield from readings.rows()
    yield from _Pages(logs).rows()
    yield from _media(logs)
    yield from _agent_pages(logs)


class _Place(msgspec.Struct, rename=KEYS):
    """The place of an entry."""

    sitemap: str


class _PageSummary(msgspec.Struct):
    """The parts of a page that decide whether its row wins."""

    url: str
    role: Role
    status: int | None = None
    render_reason: RenderReason | None = None


class _MediaSummary(msgspec.Struct):
    """The parts of an image or video that decide whether its row wins."""

    url: str
    status: int | None = None


class _Log:
    """The ledger of one shard."""

    def __init__(self, shard: Shard, run: Path, *, own_entries: bool) -> None:
        self.shard = shard
        self.own_entries = own_entries
        self.damage = Counter[str]()
        self._run = run

    def rows(self, table: str, item: type[T], begin: int = 0) -> Iterator[T]:
        """Yield the rows of a table, and count damaged lines."""
        return readable_rows(self._run, table, item, self.damage, begin=begin)

    def page_summaries(self) -> Iterator[_PageSummary]:
        """Yield a few columns of each page."""
        return readable_rows(self._run, "pages", _PageSummary)

    def media_summaries(self) -> Iterator[_MediaSummary]:
        """Yield a few columns of each image and video."""
        return readable_rows(self._run, "media", _MediaSummary)

    def places(self) -> dict[str, tuple[int, int]]:
        """Return per sitemap the byte at which its entries begin, and their number."""
        places: dict[str, tuple[int, int]] = {}
        file, decoder, here = ledger_file(self._run, "entries"), msgspec.json.Decoder(_Place), 0
        if file.exists():
            with file.open("rb") as lines:
                for line in iter(lambda: read_line(lines), b""):
                    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                        name = decoder.decode(line).sitemap
                        begin, number = places.get(name, (here, 0))
                        places[name] = begin, number + 1
                    here = lines.tell()
        return places


def _robots(logs: Iterable[_Log]) -> Iterable[Robots]:
    best: dict[str, Robots] = {}
    for log in logs:
        for row in {row.site: row for row in log.rows("robots", Robots)}.values():
            best[row.site] = max(best.get(row.site, row), row, key=_has_rules)
    return best.values()


def _has_rules(row: Robots) -> bool:
    return row.error is None and row.permission in (Permission.RULES, Permission.ALL)


class _Readings:
    """The best readings of a sitemap, and the bytes where their entries begin.

    There can be a million readings of all sitemaps together: only one row of each is kept.
    """

    def __init__(self, logs: Sequence[_Log], shards: AbstractSet[int]) -> None:
        self._logs = logs
        self._shards = shards
        self._rank = (False, False, False)
        self._row: Sitemap | None = None
        self._best = array("Q")
        self._begins = array("Q")

    def add(self, number: int, row: Sitemap, begin: int, entries: int) -> None:
        """Add the reading of a shard by the number of its log, in ascending order."""
        log = self._logs[number]
        complete = row.complete and (log.own_entries or entries == row.entries)
        rank = complete, row.error is None, row.kind not in (Kind.HTML, Kind.UNKNOWN)
        if self._row is None or rank > self._rank:
            self._row, self._rank, self._best, self._begins = row, rank, array("Q"), array("Q")
        if rank == self._rank:
            self._best.append(number)
            self._begins.append(begin)

    def rows(self) -> Iterator[Item]:
        """Yield the row of the sitemap, and its entries in order."""
        assert self._row is not None
        yield self._row
        good = {self._logs[number].shard.index for number in self._best}
        places = zip(self._best, self._begins, strict=True)
        kept = (self._kept(self._logs[number], begin, good) for number, begin in places)
        entries = heapq.merge(*kept, key=lambda entry: entry.position)
        yield from in_batches(self._row.sitemap, entries)

    def _kept(self, log: _Log, begin: int, good: AbstractSet[int]) -> Iterator[Entry]:
        """Yield the entries for which the reading of a shard wins, of equally good ones."""
        first = self._logs[self._best[0]].shard.index
        for entry in self._entries(log, begin):
            is_page = entry.url is not None and entry.kind is not Kind.SITEMAPINDEX
            owner = log.shard.index_of(entry.url) if is_page and entry.url else first
            if (owner if owner in good else first) == log.shard.index:
                missed = entry.skip_reason is SkipReason.SHARD and owner in self._shards
                yield replace(entry, skip_reason=None) if missed else entry

    def _entries(self, log: _Log, begin: int) -> Iterator[Entry]:
        """Yield the entries, which are together in the file."""
        assert self._row is not None
        name = self._row.sitemap
        return takewhile(lambda entry: entry.sitemap == name, log.rows("entries", Entry, begin))


def _readings(logs: Sequence[_Log]) -> dict[str, _Readings]:
    """Return the readings of each sitemap."""
    readings: dict[str, _Readings] = {}
    shards = {log.shard.index for log in logs}
    for number, log in enumerate(logs):
        places = log.places()
        for name, row in {row.sitemap: row for row in log.rows("sitemaps", Sitemap)}.items():
            begin, entries = places.get(name, (0, 0))
            readings.setdefault(name, _Readings(logs, shards)).add(number, row, begin, entries)
    return readings


class _Summary(Protocol):
    """The parts of a row that decide whether it wins."""

    url: str
    status: int | None


class _Choice:
    """Decides which row of a URL wins: that of its owner, if it has one.

    So only the URLs that other shards fetched too are remembered. ``rows`` returns the summaries of
    the rows of a shard.
    """

    def __init__(self, logs: Sequence[_Log], rows: Callable[[_Log], Iterable[_Summary]]) -> None:
        self._answered = UrlSet()
        self._others = UrlSet()
        self._owned = UrlSet()
        foreign = UrlSet()
        for log in logs:
            for row in rows(log):
                if not log.shard.owns(row.url):
                    foreign.add(row.url)
                    if row.status is not None:
                        self._answered.add(row.url)
        for log in logs if foreign else ():
            for row in rows(log):
                if row.url in foreign and log.shard.owns(row.url):
                    self._owned.add(row.url)

    def wins(self, shard: Shard, url: str, status: int | None) -> bool:
        """Return whether a row wins."""
        if shard.owns(url):
            return True
        if url in self._owned or (status is None and url in self._answered):
            return False
        return self._others.add(url)


def _media(logs: Sequence[_Log]) -> Iterator[MediaFile]:
    choice = _Choice(logs, _Log.media_summaries)
    for log in logs:
        for row in log.rows("media", MediaFile):
            if choice.wins(log.shard, row.url, row.status):
                yield row


def _agent_pages(logs: Sequence[_Log]) -> Iterator[AgentPage]:
    """Yield the pages for other agents; each listed URL belongs to one shard."""
    fetched = UrlSet()
    for log in logs:
        rows = log.rows("agent_pages", AgentPage)
        yield from (row for row in rows if fetched.add(row.url))


class _Pages:
    """Decides which row of a page wins; only one probe per host is kept."""

    def __init__(self, logs: Sequence[_Log]) -> None:
        self._logs = logs
        self._probes: dict[str, tuple[bool, bool, str]] = {}
        self._choice = _Choice(logs, self._summaries)

    def rows(self) -> Iterator[Page | Rendering]:
        """Yield the pages, and the renderings of the same responses."""
        for log in self._logs:
            won = UrlSet()
            for page in log.rows("pages", Page):
                if self._wins(log.shard, page):
                    won.add(page.url)
                    yield page
            yield from (row for row in log.rows("rechecks", RecheckedPage) if row.url in won)
        for log in self._logs:
            for row in log.rows("renderings", Rendering):
                if row.render_reason is RenderReason.COMPARISON:
                    if self._is_kept_probe(row.url):
                        yield row
                elif log.shard.owns(row.url):
                    yield row

    def _summaries(self, log: _Log) -> Iterator[_PageSummary]:
        """Yield those of pages, and note the best probe of each host."""
        for row in log.page_summaries():
            if row.role is not Role.PROBE:
                yield row
                continue
            site = origin(row.url)
            probe = row.status is not None, row.render_reason is not None, row.url
            if site not in self._probes or probe[:2] > self._probes[site][:2]:
                self._probes[site] = probe

    def _wins(self, shard: Shard, page: Page) -> bool:
        if page.role is Role.PROBE:
            return self._is_kept_probe(page.url)
        return self._choice.wins(shard, page.url, page.status)

    def _is_kept_probe(self, probe: str) -> bool:
        return self._probes.get(origin(probe), (False, False, ""))[2] == probe
