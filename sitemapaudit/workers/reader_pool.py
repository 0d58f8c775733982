"""The readers of a run, which read sitemaps into lines for the ledger."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import ClassVar, Final

from scrapy.crawler import Crawler

from sitemapaudit.discovery.sitemap_reading import Part, ReaderLostError
from sitemapaudit.http.response import Response
from sitemapaudit.items import Sitemap
from sitemapaudit.sitemaps.file_parts import ReadFile
from sitemapaudit.workers.child_pool import ChildPool
from sitemapaudit.workers.log_forwarding import Logged, log_forwarded
from sitemapaudit.workers.messages import (
    Answer,
    EndOfFile,
    EntryLines,
    FileToRead,
    ReadingJob,
    RowSoFar,
    WholeRow,
)
from sitemapaudit.workers.process import ChildProcess

logger = logging.getLogger(__name__)

PAYS_FROM: Final = 100_000
"""Entries that were read before processes are started: a site this large may be far larger."""

_AHEAD: Final = 2
"""Files for each process: the file that it reads, and the next."""


class _Reader:
    """A process, and the number of its files."""

    def __init__(self, process: ChildProcess) -> None:
        self.process = process
        self.files = 0
        self.answers = _one_by_one(process.answers())
        self.ended = asyncio.Event()


class ReaderPool(ChildPool):
    """Starts readers after enough entries, and gives each file to the least busy reader.

    With ``at_once``, one waiting file is enough.
    """

    program: ClassVar = "reader"
    work: ClassVar = "read sitemaps"
    work_here: ClassVar = "reads all sitemaps"
    buffer: ClassVar = 1 << 23  # The lines of 50,000 entries are as many.

    def __init__(self, crawler: Crawler, job: ReadingJob, count: int, *, at_once: bool) -> None:
        super().__init__(crawler, job, count)
        self._pays_from = 0 if at_once else PAYS_FROM
        self._readers: list[_Reader] = []

    @property
    def capacity(self) -> int:
        """The number of files that may be read at once; 0 if no process is ready."""
        return _AHEAD * len(self._readers)

    def start_if_it_pays(self, entries: int, waiting: int) -> None:
        """Start the processes if enough entries were read before, and files wait."""
        if entries >= self._pays_from and waiting:
            self.start()

    def read(self, response: Response, row: Sitemap) -> AsyncIterator[Part]:
        """Begin to read a file; return its parts, to be taken in the order of the files.

        Raises ReaderLostError.
        """
        reader = min(self._readers, key=lambda reader: reader.files)
        reader.files += 1
        reader.process.send([FileToRead(response, row)])
        return self._parts(reader)

    async def close(self) -> None:
        """End the processes."""
        self._closing = True
        readers, self._readers = self._readers, []
        for reader in readers:
            reader.process.kill()  # The process may wait until its answers are read.
            reader.ended.set()
        await self._end_processes()
        while self._tasks:
            await asyncio.gather(*self._tasks)

    async def serve(self, process: ChildProcess) -> None:
        """Let a process read files until it ends, or all are closed."""
        reader = _Reader(process)
        self._readers.append(reader)
        if self._closing:
            reader.ended.set()
        await reader.ended.wait()
        status = await process.end()
        if not self._closing:
            logger.warning(
                "A process that read sitemaps ended (exit status %d); its files are read again",
                status,
            )

    async def _parts(self, reader: _Reader) -> AsyncIterator[Part]:
        async for answer in reader.answers:
            match answer:
                case RowSoFar(row):
                    yield row
                case EntryLines(records):
                    yield records
                case WholeRow(row, children):
                    yield ReadFile(row, children)
                case EndOfFile():
                    reader.files -= 1
                    return
                case Logged():
                    log_forwarded(answer)
        if not self._closing:
            if reader in self._readers:
                self._readers.remove(reader)
            reader.ended.set()
            raise ReaderLostError


async def _one_by_one(answers: AsyncIterator[list[Answer]]) -> AsyncIterator[Answer]:
    """Yield answers, which arrive several at a time."""
    async for several in answers:
        for answer in several:
            yield answer
