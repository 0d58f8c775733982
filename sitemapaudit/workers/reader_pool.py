"""The processes of a run that read sitemaps."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from sitemapaudit.discovery.sitemap_reading import Part, ReaderLostError
from sitemapaudit.engine.private_api import is_observed
from sitemapaudit.http.response import Response
from sitemapaudit.items import Sitemap
from sitemapaudit.sitemaps.file_parts import ReadFile
from sitemapaudit.workers.cores import take_long_turns
from sitemapaudit.workers.log_forwarding import log_here
from sitemapaudit.workers.messages import Logged, frame
from sitemapaudit.workers.process import ChildProcess
from sitemapaudit.workers.reader_messages import (
    EndOfFile,
    EntryLines,
    FileToRead,
    Message,
    ReadingJob,
    RowSoFar,
    WholeRow,
    decode_message,
    encode,
)

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

PAYS_FROM: Final = 100_000
"""Entries that were read before processes are started: a site of so many may have many more."""

_AHEAD: Final = 2
"""Files for each process: one that it reads, and the next."""

_BUFFER: Final = 1 << 23
"""Half of the bytes that wait of each process: the lines of 50,000 entries are as many."""

_PROGRAM: Final = "reader"


class _Reader(Struct):
    process: ChildProcess
    files: int = 0


class ReaderPool:
    """Starts ``count`` processes that read sitemaps, when enough entries were read.

    With ``at_once``, one file that waits is enough. Each file goes to the process that has fewest.
    """

    def __init__(self, crawler: Crawler, job: ReadingJob, count: int, *, at_once: bool) -> None:
        self._crawler = crawler
        self._job = job
        self._count = count
        self._pays_from = 0 if at_once else PAYS_FROM
        self._readers: list[_Reader] = []
        self._start: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def capacity(self) -> int:
        """How many files may be read at once; 0 if no process is ready."""
        return _AHEAD * len(self._readers)

    def start_if_it_pays(self, entries: int, waiting: int) -> None:
        """Start the processes: so many entries were read before, and so many files wait."""
        if self._start is None and entries >= self._pays_from and waiting:
            self._start = asyncio.create_task(self._start_all())

    def read(self, response: Response, row: Sitemap) -> AsyncIterator[Part]:
        """Begin to read a file; return its parts, which are taken in the order of the files.

        Raises ReaderLostError.
        """
        reader = min(self._readers, key=lambda reader: reader.files)
        reader.files += 1
        reader.process.write(frame(encode(FileToRead(response, row))))
        return self._parts(reader)

    async def close(self) -> None:
        """End the processes."""
        self._closing = True
        if self._start is not None:
            await self._start
        readers, self._readers = self._readers, []
        for reader in readers:
            reader.process.kill()  # It may wait until its answers are read.
        await asyncio.gather(*(reader.process.end() for reader in readers))

    async def _start_all(self) -> None:
        if is_observed(self._crawler):
            logger.info("One process reads all sitemaps: others here want to see each entry")
            return
        try:
            job = frame(pickle.dumps(self._job))
            take_long_turns()
            for _ in range(self._count):
                process = await ChildProcess.start(_PROGRAM, job, _BUFFER)
                self._readers.append(_Reader(process))
        except Exception as error:  # noqa: BLE001 - whatever an object of the user's raises
            logger.warning("No other process can read sitemaps: %s", error)
        else:
            logger.info("%d processes read sitemaps", self._count)

    async def _parts(self, reader: _Reader) -> AsyncIterator[Part]:
        try:
            while (part := await self._next(reader)) is not None:
                yield part
        except (asyncio.IncompleteReadError, ConnectionError):
            if not self._closing:
                await self._lose(reader)
                raise ReaderLostError from None
        else:
            reader.files -= 1

    async def _next(self, reader: _Reader) -> Part | None:
        """Return the next part of a file; None at its end."""
        while True:
            message: Message = decode_message(await reader.process.read())
            match message:
                case RowSoFar(row):
                    return row
                case EntryLines(records):
                    return records
                case WholeRow(row, children):
                    return ReadFile(row, children)
                case EndOfFile():
                    return None
                case Logged():
                    log_here(message)

    async def _lose(self, reader: _Reader) -> None:
        """Go on without a process that ended."""
        if reader in self._readers:
            self._readers.remove(reader)
            logger.warning(
                "A process that read sitemaps ended (exit status %d); its files are read again",
                await reader.process.end(),
            )
