"""Reading of sitemaps: one after the other in a thread, or several in other processes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from sitemapaudit.audit import Audit
from sitemapaudit.config import Config
from sitemapaudit.engine.private_api import is_observed
from sitemapaudit.engine.reading_thread import ReadingThread
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entries, Entry, Sitemap
from sitemapaudit.runs.ledger.file_recorder import FileRecorder
from sitemapaudit.runs.ledger.records import EntryRecords
from sitemapaudit.sitemaps.file_parts import ReadFile, read_parts
from sitemapaudit.sitemaps.sitemap_reader import contains_sitemap, describe

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

Part = Sitemap | Entries | EntryRecords | ReadFile
"""A part of a file: see ``read_parts``."""


class ReaderLostError(Exception):
    """The process that read a file ended before the file did."""


class SitemapReaders(Protocol):
    """Processes that read sitemaps, implemented in ``sitemapaudit.workers``."""

    @property
    def capacity(self) -> int:
        """The number of files that may be read at once; 0 if no process is ready."""

    def start_if_it_pays(self, entries: int, waiting: int) -> None:
        """Start the processes if the entries read before and the files that wait justify it."""

    def read(self, response: Response, row: Sitemap) -> AsyncIterator[Part]:
        """Begin to read a file; return its parts, to be taken in the order of the files.

        Raises ReaderLostError.
        """

    async def close(self) -> None:
        """End the processes."""


class SitemapReading:
    """Reads sitemaps; their parts are taken in the order in which they were begun.

    ``readers`` is None if there is only this process.
    """

    def __init__(self, crawler: Crawler, config: Config, readers: SitemapReaders | None) -> None:
        self._crawler = crawler
        self._config = config
        self._readers = readers
        self._thread = ReadingThread()
        self._entries = 0

    def capacity(self, waiting: int) -> int:
        """Return how many files may be read at once if ``waiting`` files wait: at least one."""
        if self._readers is None:
            return 1
        self._readers.start_if_it_pays(self._entries, waiting)
        return max(1, self._readers.capacity)

    def begin(self, response: Response, row: Sitemap) -> AsyncIterator[Part]:
        """Begin to read a file; return its parts. This process reads it when they are taken."""
        if self._readers is not None and self._readers.capacity:
            parts = self._readers.read(response, row)
            return self._read_again_if_lost(response, row, parts)
        return self._read_here(response, row)

    async def skip(self, response: Response, row: Sitemap) -> AsyncIterator[Part]:
        """Yield the row of a file without its entries."""
        describe(response, row)
        yield ReadFile(row, [])

    async def contains_sitemap(self, response: Response) -> bool:
        """Return whether a response is a sitemap."""
        return await self._thread.run(contains_sitemap, response)

    async def close(self) -> None:
        """Stop reading files."""
        self._thread.close()
        if self._readers is not None:
            await self._readers.close()

    async def _read_here(self, response: Response, row: Sitemap) -> AsyncIterator[Part]:
        parts = self._parts(response, row)
        while (part := await self._thread.run(next, parts, None)) is not None:
            if isinstance(part, EntryRecords):
                self._entries += part.entries
            elif isinstance(part, list):
                self._entries += len(part)
            yield Entries(row.sitemap, part) if isinstance(part, list) else part

    def _parts(
        self, response: Response, row: Sitemap
    ) -> Iterator[Sitemap | list[Entry] | EntryRecords | ReadFile]:
        if self._recorder is not None:
            return self._recorder.read(response, row)
        return read_parts(response, row, self._config.staging)

    @cached_property
    def _recorder(self) -> FileRecorder | None:
        """Checks and encodes entries in the thread, if nothing else here needs them."""
        if self._config.selects_pages or is_observed(self._crawler):
            return None
        return FileRecorder(Audit.of(self._config.settings), self._config.staging)

    async def _read_again_if_lost(
        self, response: Response, row: Sitemap, parts: AsyncIterator[Part]
    ) -> AsyncIterator[Part]:
        taken = 0
        try:
            async for part in parts:
                taken += 1
                yield part
        except ReaderLostError:
            missing = -taken
            async for part in self._read_here(response, row):
                if missing >= 0:
                    yield part
                missing += 1
