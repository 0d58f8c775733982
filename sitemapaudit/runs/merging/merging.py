"""The ledgers of several shards → the ledger of one run, with each row once.

Every shard reads robots.txt and the sitemaps itself, perhaps while the site changes, and several
can fetch the same target of a redirect or canonical. One rule decides which row wins. For a URL
and its entries, the shard that owns the URL wins. For everything else, and if the owner has no
row, the best reading wins, and of equal readings that of the first shard.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

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
        yield from _file(readings, {log.shard for log in logs})
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


class _Reading(Struct, frozen=True):
    """The reading of a sitemap by one shard; ``begin`` is the byte where its entries begin."""

    log: _Log
    row: Sitemap
    begin: int
    complete: bool

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """Higher is better."""
        row = self.row
        return self.complete, row.error is None, row.kind not in (Kind.HTML, Kind.UNKNOWN)

    def entries(self) -> Iterator[Entry]:
        """Yield its entries, which are together in the file."""
        rows = self.log.rows("entries", Entry, self.begin)
        return takewhile(lambda entry: entry.sitemap == self.row.sitemap, rows)


def _readings(logs: Iterable[_Log]) -> dict[str, list[_Reading]]:
    """Return the readings of each sitemap, in the order of the shards."""
    readings: dict[str, list[_Reading]] = {}
    for log in logs:
        places = log.places()
        for row in {row.sitemap: row for row in log.rows("sitemaps", Sitemap)}.values():
            begin, number = places.get(row.sitemap, (0, 0))
            complete = row.complete and (log.own_entries or number == row.entries)
            reading = _Reading(log, row, begin, complete)
            readings.setdefault(row.sitemap, []).append(reading)
    return readings


def _file(readings: Sequence[_Reading], shards: set[Shard]) -> Iterator[Item]:
    """Yield the row of a sitemap, and its entries in order."""
    best = max(readings, key=lambda reading: reading.rank)
    good = {each.log.shard: each for each in readings if each.rank == best.rank}
    yield best.row
    kept = (_kept(each, best, good, shards) for each in good.values())
    entries = heapq.merge(*kept, key=lambda entry: entry.position)
    yield from in_batches(best.row.sitemap, entries)


def _kept(
    reading: _Reading, best: _Reading, good: Mapping[Shard, _Reading], shards: set[Shard]
) -> Iterator[Entry]:
    """Yield the entries for which this reading wins."""
    shard = reading.log.shard
    for entry in reading.entries():
        is_page = entry.url is not None and entry.kind is not Kind.SITEMAPINDEX
        owner = shard.owner(entry.url) if is_page and entry.url else best.log.shard
        if good.get(owner, best) is reading:
            missed = entry.skip_reason is SkipReason.SHARD and owner in shards
            yield replace(entry, skip_reason=None) if missed else entry


class _Choice:
    """Decides which row of a URL wins."""

    def __init__(self) -> None:
        self._owned = UrlSet()
        self._answered = UrlSet()
        self._others = UrlSet()

    def note(self, shard: Shard, url: str, status: int | None) -> None:
        """Record a row of a shard."""
        if shard.owns(url):
            self._owned.add(url)
        elif status is not None:
            self._answered.add(url)

    def wins(self, shard: Shard, url: str, status: int | None) -> bool:
        """Return whether a row wins; every row must have been recorded."""
        if shard.owns(url):
            return True
        if url in self._owned or (status is None and url in self._answered):
            return False
        return self._others.add(url)


def _media(logs: Sequence[_Log]) -> Iterator[MediaFile]:
    choice = _Choice()
    for log in logs:
        for summary in log.media_summaries():
            choice.note(log.shard, summary.url, summary.status)
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
        self._choice = _Choice()
        self._probes: dict[str, tuple[bool, bool, str]] = {}
        for log in logs:
            for row in log.page_summaries():
                self._note(log.shard, row)

    def rows(self) -> Iterator[Page | Rendering]:
        """Yield the pages, and the renderings of the same responses."""
        for log in self._logs:
            rechecks = {row.url: row for row in log.rows("rechecks", RecheckedPage)}
            for page in log.rows("pages", Page):
                if self._wins(log.shard, page):
                    yield page
                    if page.url in rechecks:
                        yield rechecks.pop(page.url)
        for log in self._logs:
            for row in log.rows("renderings", Rendering):
                if row.render_reason is RenderReason.COMPARISON:
                    if self._is_kept_probe(row.url):
                        yield row
                elif log.shard.owns(row.url):
                    yield row

    def _note(self, shard: Shard, row: _PageSummary) -> None:
        if row.role is Role.PROBE:
            site = origin(row.url)
            probe = row.status is not None, row.render_reason is not None, row.url
            if site not in self._probes or probe[:2] > self._probes[site][:2]:
                self._probes[site] = probe
        else:
            self._choice.note(shard, row.url, row.status)

    def _wins(self, shard: Shard, page: Page) -> bool:
        if page.role is Role.PROBE:
            return self._is_kept_probe(page.url)
        return self._choice.wins(shard, page.url, page.status)

    def _is_kept_probe(self, probe: str) -> bool:
        return self._probes.get(origin(probe), (False, False, ""))[2] == probe
