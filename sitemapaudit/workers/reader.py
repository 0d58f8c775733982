"""The program of a process that reads sitemaps, checks them, and returns lines for the ledger.

Without the code that fetches pages, it starts four times as fast as a worker.
"""

import os
import pickle
from contextlib import suppress
from typing import BinaryIO, NoReturn

from sitemapaudit.audit import Audit
from sitemapaudit.ending import end_process
from sitemapaudit.garbage import reduce_collections
from sitemapaudit.items import Sitemap
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.ledger.file_recorder import FileRecorder
from sitemapaudit.runs.ledger.records import EntryRecords
from sitemapaudit.sitemaps.file_parts import ReadFile
from sitemapaudit.workers.cores import schedule_as_batch
from sitemapaudit.workers.log_forwarding import forward_log, level_of_workers
from sitemapaudit.workers.messages import (
    HEADER_BYTES,
    Answer,
    EndOfFile,
    EntryLines,
    FileToRead,
    ReadingJob,
    RowSoFar,
    WholeRow,
    content_length,
    decode_files,
    frame_all,
)


class _Reader:
    """Reads one file at a time."""

    def __init__(self, job: ReadingJob, answers: BinaryIO) -> None:
        self._answers = answers
        forward_log(self._send, level_of_workers(job.log_level))
        self._recorder = FileRecorder(Audit.of(job), job.staging)

    def read(self, file: FileToRead) -> None:
        """Send the parts of a file."""
        for part in self._recorder.read(file.response, file.row):
            self._send(_answer(part))
        self._send(EndOfFile())

    def _send(self, answer: Answer) -> None:
        self._answers.write(frame_all([answer]))
        self._answers.flush()


def _answer(part: Sitemap | EntryRecords | ReadFile) -> Answer:
    match part:
        case Sitemap():
            return RowSoFar(part)
        case ReadFile():
            return WholeRow(part.row, part.children)
        case EntryRecords():
            return EntryLines(part)


def prepare() -> None:
    """Import what readers need: the rules."""
    catalog()


def main(orders: int, answers: int) -> NoReturn:
    """Read files until the main process ends."""
    files = os.fdopen(orders, "rb")
    with suppress(EOFError, BrokenPipeError):
        job: ReadingJob = pickle.loads(_next(files))  # noqa: S301 - from the main process
        reader = _Reader(job, os.fdopen(answers, "wb"))
        reduce_collections()
        schedule_as_batch()
        while True:
            for file in decode_files(_next(files)):
                reader.read(file)
    end_process(0)


def _next(orders: BinaryIO) -> bytes:
    """Return the content of the next message. Raises EOFError."""
    header = orders.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        raise EOFError
    return orders.read(content_length(header))
