"""A ledger that was cut short: what of it holds, so that a run can go on behind it.

What was begun and not ended is dropped, and is asked for again: a sitemap of
which entries are missing, a page that a browser had not shown to its end.
Findings are made anew from the rows, so that none is missing and none is there twice.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Final, TypeVar

from sitemapaudit.audit import Audit, Item
from sitemapaudit.datasets.ledger import ledger_file, sound_rows
from sitemapaudit.datasets.rewriting import in_batches, rewrite
from sitemapaudit.datasets.schema import LEDGER_TABLES
from sitemapaudit.items import Entry, Kind, Page, Rendering, Robots, Sitemap

ROBOTS_AGE: Final = timedelta(days=1)
"""A robots.txt that is older is asked for again (RFC 9309 section 2.4)."""

_BATCH: Final = 500

T = TypeVar("T")


def settle(run: Path, audit: Audit) -> dict[str, int]:
    """Rewrite the ledger of a run folder so that it holds only what was ended.

    Returns how many lines of each table could not be read. Safe to be cut
    short itself: done again, it gives the same.
    """
    damage = Counter[str]()
    rewrite(run, _settled(run, damage), audit)
    return dict(damage)


def _settled(run: Path, damage: Counter[str]) -> Iterator[Item]:
    fresh = datetime.now(UTC) - ROBOTS_AGE
    for robots in {row.site: row for row in sound_rows(run, "robots", Robots, damage)}.values():
        if robots.fetched_at is not None and robots.fetched_at > fresh:
            yield robots
    whole = _whole_sitemaps(run, damage)
    yield from whole.values()
    entries = (row for row in sound_rows(run, "entries", Entry, damage) if row.sitemap in whole)
    for sitemap, rows in groupby(entries, key=lambda row: row.sitemap):
        yield from in_batches(sitemap, rows)
    shown = {row.url for row in sound_rows(run, "renderings", Rendering)}
    kept = set()
    for page in sound_rows(run, "pages", Page, damage):
        if page.render is None or page.url in shown:
            yield page
            kept |= shown & {page.url}
    for row in sound_rows(run, "renderings", Rendering, damage):
        if row.url in kept:
            kept.remove(row.url)
            yield row


def _whole_sitemaps(run: Path, damage: Counter[str]) -> dict[str, Sitemap]:
    """Return the last rows of the sitemaps that were read to their end, entries and all."""
    # Their damaged lines are counted where the entries themselves are read.
    entries = sound_rows(run, "entries", Entry)
    numbers = Counter(entry.sitemap for entry in entries)
    rows = sound_rows(run, "sitemaps", Sitemap, damage)
    read = {row.sitemap: row for row in rows if row.complete}
    return {name: row for name, row in read.items() if numbers[name] == row.entries}


async def breathing(rows: Iterable[T]) -> AsyncIterator[T]:
    """Yield rows, and let others work in between."""
    for number, row in enumerate(rows):
        if number % _BATCH == 0:
            await asyncio.sleep(0)
        yield row


class Past:
    """What the ledger of a resumed run holds of the time before: settled rows, as they are read."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._ends = {}
        for table in LEDGER_TABLES:
            with suppress(FileNotFoundError):
                self._ends[table] = ledger_file(run, table).stat().st_size

    def robots(self) -> Iterator[Robots]:
        """Yield the robots.txt files."""
        return self._rows("robots", Robots)

    def sitemaps(self) -> Iterator[Sitemap]:
        """Yield the sitemaps."""
        return self._rows("sitemaps", Sitemap)

    def entries(self) -> Iterator[Entry]:
        """Yield the entries that are URLs of pages."""
        rows = self._rows("entries", Entry)
        return (row for row in rows if row.kind is not Kind.SITEMAPINDEX)

    def children(self) -> dict[str, list[str]]:
        """Return the sitemaps that each index lists."""
        children: dict[str, list[str]] = {}
        for row in self._rows("entries", Entry):
            if row.kind is Kind.SITEMAPINDEX and row.url is not None:
                children.setdefault(row.sitemap, []).append(row.url)
        return children

    def pages(self) -> Iterator[Page]:
        """Yield the pages that were answered."""
        return self._rows("pages", Page)

    def _rows(self, table: str, item: type[T]) -> Iterator[T]:
        return sound_rows(self._run, table, item, end=self._ends.get(table, 0))
