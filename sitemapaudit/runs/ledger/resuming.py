"""The ledger of an interrupted run: only complete parts are kept when the run is resumed.

Incomplete parts are dropped and fetched again, such as a sitemap with missing entries or a page
that the browser did not finish. So are the last pages, if all of them timed out: the network may
have been gone. The rules check the kept rows again, so that each finding occurs
once.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Container, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Final, TypeVar

from sitemapaudit.audit import Audit, Item
from sitemapaudit.items import (
    AgentPage,
    Entry,
    Error,
    Kind,
    MediaFile,
    Page,
    RecheckedPage,
    Rendering,
    Robots,
    Sitemap,
)
from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.pages.links import NO_SOURCES
from sitemapaudit.runs.ledger.ledger import ledger_file, readable_rows
from sitemapaudit.runs.ledger.link_log import has_links, linked_sources
from sitemapaudit.runs.ledger.rewriting import in_batches, rewrite_ledger
from sitemapaudit.urls.url_set import UrlSet

MAX_ROBOTS_AGE: Final = timedelta(days=1)
"""An older robots.txt is fetched again (RFC 9309 section 2.4)."""

_BATCH: Final = 500

_MAX_HELD: Final = 1_000
"""The number of pages at the end that can be dropped because they timed out."""

T = TypeVar("T")


def is_recent(robots: Robots) -> bool:
    """Return whether a robots.txt may still be obeyed as it was read."""
    oldest = datetime.now(UTC) - MAX_ROBOTS_AGE
    return robots.fetched_at is not None and robots.fetched_at > oldest


def drop_unfinished(run: Path, audit: Audit) -> dict[str, int]:
    """Rewrite the ledger of a run folder without its unfinished parts.

    Return how many lines of each table were unreadable. If it is interrupted, it can be repeated.
    """
    damage = Counter[str]()
    rewrite_ledger(run, _finished(run, damage), audit)
    return dict(damage)


def _finished(run: Path, damage: Counter[str]) -> Iterator[Item]:
    for robots in {row.site: row for row in readable_rows(run, "robots", Robots, damage)}.values():
        if is_recent(robots):
            yield robots
    complete = _complete_sitemaps(run, damage)
    yield from complete.values()
    rows = readable_rows(run, "entries", Entry, damage)
    entries = (row for row in rows if row.sitemap in complete)
    for sitemap, group in groupby(entries, key=lambda row: row.sitemap):
        yield from in_batches(sitemap, group)
    rendered = {row.url for row in readable_rows(run, "renderings", Rendering)}
    kept, pages = set(), UrlSet()
    linked = linked_sources(run) if has_links(run) else None
    for page in _without_last_timeouts(readable_rows(run, "pages", Page, damage)):
        if linked is not None and _lacks_links(page, linked):
            continue
        if (page.render_reason is None or page.url in rendered) and pages.add(page.url):
            yield page
            kept |= rendered & {page.url}
    yield from _finished_rechecks(run, pages, rendered, damage)
    for row in readable_rows(run, "renderings", Rendering, damage):
        if row.url in kept:
            kept.remove(row.url)
            yield row
    yield from readable_rows(run, "media", MediaFile, damage)
    yield from _agent_pages(run, damage)


def _without_last_timeouts(pages: Iterable[Page]) -> Iterator[Page]:
    """Yield pages, except those at the end that timed out."""
    held: list[Page] = []
    for page in pages:
        held.append(page)
        if page.error is not Error.TIMEOUT or len(held) > _MAX_HELD:
            yield from held
            held.clear()


def _agent_pages(run: Path, damage: Counter[str]) -> Iterator[AgentPage]:
    fetched = UrlSet()
    rows = readable_rows(run, "agent_pages", AgentPage, damage)
    return (row for row in rows if fetched.add(row.url))


def _lacks_links(page: Page, linked: UrlSet) -> bool:
    """Return whether a power cut lost the links of a page."""
    return page.is_html and page.role not in NO_SOURCES and page.url not in linked


def _finished_rechecks(
    run: Path, pages: UrlSet, rendered: Container[str], damage: Counter[str]
) -> Iterator[RecheckedPage]:
    rechecked = UrlSet()
    for row in readable_rows(run, "rechecks", RecheckedPage, damage):
        is_finished = row.render_reason is None or row.url in rendered
        if row.url in pages and is_finished and rechecked.add(row.url):
            yield row


def _complete_sitemaps(run: Path, damage: Counter[str]) -> dict[str, Sitemap]:
    """Return the last rows of the sitemaps that were read to the end, all entries included."""
    # Damaged lines of entries are not counted here, but when they are read again.
    positions: dict[str, tuple[int, int]] = {}
    for entry in readable_rows(run, "entries", Entry):
        number, total = positions.get(entry.sitemap, (0, 0))
        positions[entry.sitemap] = number + 1, total + entry.position
    rows = readable_rows(run, "sitemaps", Sitemap, damage)
    read = {row.sitemap: row for row in rows if row.complete}
    return {
        name: row for name, row in read.items() if positions.get(name, (0, 0)) == _positions(row)
    }


def _positions(row: Sitemap) -> tuple[int, int]:
    """Return the expected number and sum of the positions of a sitemap's entries."""
    return row.entries, row.entries * (row.entries + 1) // 2


async def cooperatively(rows: Iterable[T]) -> AsyncIterator[T]:
    """Yield rows, and let the event loop do other work meanwhile."""
    for number, row in enumerate(rows):
        if number % _BATCH == 0:
            await asyncio.sleep(0)
        yield row


class ResumedLedger:
    """The rows that the ledger of a resumed run had when it was opened."""

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
        """Yield the entries that list pages."""
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
        """Yield the pages."""
        return self._rows("pages", Page)

    def rechecks(self) -> Iterator[RecheckedPage]:
        """Yield the pages that were fetched once more."""
        return self._rows("rechecks", RecheckedPage)

    def agent_pages(self) -> Iterator[AgentPage]:
        """Yield the pages that were fetched for agents other than the first."""
        return self._rows("agent_pages", AgentPage)

    def media(self) -> Iterator[MediaFile]:
        """Yield the images and videos that were checked."""
        return self._rows("media", MediaFile)

    def _rows(self, table: str, item: type[T]) -> Iterator[T]:
        return readable_rows(self._run, table, item, end=self._ends.get(table, 0))
