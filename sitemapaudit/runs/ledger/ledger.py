"""The ledger: the append-only log of a run, one JSON Lines file per table.

Each row is passed to the operating system before the next one begins: a killed process loses only
the row that it was writing. Rows are on the disk after a second at most: a power cut loses no older
rows. Checksums reveal rows that lost some of their bytes. A row that cannot be encoded leaves an
unreadable line, which counts as damage: the audit is incomplete, and a resumed run fetches it
again.
"""

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from sitemapaudit.caps import MAX_LINE
from sitemapaudit.items import (
    Entries,
    Entry,
    Finding,
    MediaFile,
    Page,
    RecheckedPage,
    Rendering,
    Robots,
    Sitemap,
)
from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.durable import SYNC_INTERVAL, Repeating, sync_folder
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.ledger import entry_lines, page_lines
from sitemapaudit.runs.ledger.checksums import REST, add_checksums, checked_lines
from sitemapaudit.runs.ledger.link_log import LinkLog, LinkRecord

UNWRITTEN: Final = b'{"sum":"00000000",# not written\n'
"""The line of a row that could not be encoded: its checksum is wrong."""

_BLOCK: Final = 1 << 20

logger = logging.getLogger(__name__)

T = TypeVar("T")

_READERS: Final[dict[type, Callable[[bytes], Any]]] = {
    Entry: entry_lines.read_line,
    Page: page_lines.read_line,
}
_WRITERS: Final[dict[type, Callable[[Any], Iterator[Any]]]] = {
    Entry: entry_lines.lines_of,
    Page: page_lines.lines_of,
}
"""Writers of rows whose lines do not contain all columns."""

LedgerRow = Robots | Sitemap | Entry | Page | Rendering | MediaFile | Finding
LedgerItem = Robots | Sitemap | Entries | Page | Rendering | MediaFile


def ledger_file(run: Path, table: str, suffix: str = "") -> Path:
    """Return the file of a table in the ledger of a run folder; a draft has a ``suffix``."""
    return run / FOLDER / f"{table}.jsonl{suffix}"


def read_rows(
    file: Path, item: type[T], end: int | None = None, begin: int = 0
) -> Iterator[T | None]:
    """Yield the rows of a ledger file from byte ``begin`` to ``end``; None for a damaged line.

    An unfinished last line is skipped: its writer was killed.
    """
    if not file.exists():
        return
    decode = _READERS.get(item) or msgspec.json.Decoder(item).decode
    for line in checked_lines(_complete_lines(file, begin, end)):
        try:
            yield None if line is None else decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            yield None


def _complete_lines(file: Path, begin: int, end: int | None) -> Iterator[bytes]:
    with file.open("rb") as lines:
        lines.seek(begin)
        while (end is None or lines.tell() < end) and (line := read_line(lines)).endswith(b"\n"):
            yield line


def read_line(lines: BinaryIO) -> bytes:
    """Return the next line; if it is longer than any row, only an unreadable rest."""
    line = lines.readline(MAX_LINE)
    while len(line) == MAX_LINE and not line.endswith(b"\n"):
        line = REST + lines.readline(MAX_LINE - 1)
    return line


def readable_rows(
    run: Path,
    table: str,
    item: type[T],
    damage: Counter[str] | None = None,
    *,
    begin: int = 0,
    end: int | None = None,
) -> Iterator[T]:
    """Yield the readable rows of a table; count damaged lines in ``damage``."""
    for row in read_rows(ledger_file(run, table), item, end, begin):
        if row is not None:
            yield row
        elif damage is not None:
            damage[table] += 1


def longest_line(file: Path) -> int:
    """Return the bytes of the longest line of a ledger file, or a mebibyte if none is longer."""
    longest, begin, position = _BLOCK, 0, 0
    with file.open("rb") as blocks:
        for block in iter(lambda: blocks.read(_BLOCK), b""):
            end = block.find(b"\n") + 1 or len(block)
            longest = max(longest, position + end - begin)
            if b"\n" in block:
                begin = position + block.rfind(b"\n") + 1
            position += len(block)
    return longest


def copy_readable_lines(file: Path, into: Path) -> None:
    """Copy a ledger file without damaged blocks, and lines that are longer than any row."""
    with into.open("wb") as copy:
        for line in checked_lines(_complete_lines(file, 0, None)):
            if line is not None:
                copy.write(line)


def count_lines(file: Path) -> int:
    """Return how many complete lines a ledger file has."""
    if not file.exists():
        return 0
    with file.open("rb") as blocks:
        return sum(block.count(b"\n") for block in iter(lambda: blocks.read(_BLOCK), b""))


def rows_of(item: LedgerItem) -> Sequence[LedgerRow]:
    """Return the rows of an item: itself, or a batch of entries."""
    return item.rows if isinstance(item, Entries) else (item,)


def _written(rows: Sequence[Any]) -> Sequence[Any]:
    lines_of = _WRITERS.get(type(rows[0])) if rows else None
    return rows if lines_of is None else list(lines_of(rows))


class RowEncoder:
    """Turns rows into lines with checksums."""

    def __init__(self) -> None:
        self._encoder = msgspec.json.Encoder()

    def encode(self, rows: Sequence[LedgerRow]) -> bytes:
        """Return the lines of rows; log each row that cannot be encoded."""
        try:
            return add_checksums(self._encoder.encode_lines(_written(rows)))
        except Exception:  # noqa: BLE001 - whatever the reason, it costs only its row
            return b"".join(map(self._encoded_alone, rows))

    def _encoded_alone(self, row: LedgerRow) -> bytes:
        try:
            return add_checksums(self._encoder.encode_lines(_written([row])))
        except Exception as error:  # noqa: BLE001 - whatever the reason, it costs only its row
            kind, place = type(row).__name__.lower(), getattr(row, fields(row)[0].name)
            logger.error("The %s %.300a cannot be written: %s", kind, place, error)  # noqa: TRY400
            return UNWRITTEN


class Ledger:
    """Appends rows to the ledger of a run folder; a draft has a ``suffix``.

    Rows are passed to the operating system at once, but for those of a draft. All are on the disk
    when it is closed; with ``live``, also after ``SYNC_INTERVAL``. With ``links``, it also contains
    the links of pages.
    """

    def __init__(
        self, run: Path, suffix: str = "", *, live: bool = False, links: bool = False
    ) -> None:
        self._encode = RowEncoder().encode
        self._stack = ExitStack()
        (run / FOLDER).mkdir(parents=True, exist_ok=True)
        self._files: dict[type, BinaryIO] = {
            item: self._stack.enter_context(ledger_file(run, table, suffix).open("ab"))
            for table, item in LEDGER_TABLES.items()
        }
        self._flushes = not suffix
        self._unsynced: set[BinaryIO] = set()
        self._sync_error: OSError | None = None
        sync_folder(run / FOLDER)
        if live:
            self._stack.enter_context(Repeating(self._try_sync, SYNC_INTERVAL))
        self._links = LinkLog(run) if links else None

    def record(
        self,
        item: LedgerItem,
        findings: list[Finding],
        lines: bytes | None = None,
    ) -> None:
        """Write one item and its findings; ``lines`` are those of the item, if known.

        Raises OSError.
        """
        rows = rows_of(item)
        if isinstance(item, RecheckedPage):
            item.findings = findings
            self.extend(rows)
        else:
            self.write(rows, self._encode(rows) if lines is None else lines)
            self.extend(findings)

    def append(self, item: LedgerItem) -> None:
        """Write one item: a row, or a batch of entries. Raises OSError."""
        self.extend(rows_of(item))

    def extend(self, rows: Sequence[LedgerRow]) -> None:
        """Write rows of one type. Raises OSError."""
        self.write(rows, self._encode(rows))

    def write(self, rows: Sequence[LedgerRow], lines: bytes) -> None:
        """Write the lines of rows of one type. Raises OSError."""
        if rows:
            self.write_lines(type(rows[0]), lines)

    def write_lines(self, row: type[LedgerRow], lines: bytes) -> None:
        """Write lines of a type of row. Raises OSError."""
        if self._sync_error:
            raise self._sync_error
        file = self._files[row]
        file.write(lines)
        if self._flushes:
            file.flush()
        self._unsynced.add(file)

    def write_links(self, links: LinkRecord) -> None:
        """Write the links of a page, if this ledger has any. Raises OSError."""
        if self._links is not None:
            self._links.write(links)

    def close(self) -> None:
        """Close the files, with every row on the disk. Raises OSError."""
        with self._stack:
            if self._links is not None:
                self._links.close()
            self._sync()
        if self._sync_error:
            raise self._sync_error

    def _try_sync(self) -> None:
        """Sync in a thread: an error is raised when the next row is written."""
        try:
            self._sync()
        except OSError as error:
            self._sync_error = error

    def _sync(self) -> None:
        """Wait until the rows are on the disk; more can be appended meanwhile."""
        for file in self._files.values():
            if file in self._unsynced:
                self._unsynced.discard(file)  # First: a row that arrives meanwhile is not synced.
                file.flush()
                os.fsync(file.fileno())
