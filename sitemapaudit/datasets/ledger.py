"""The ledger: an append-only log of a run, one JSON Lines file a table.

Each row is handed to the operating system before the next is begun, so that a
killed process loses nothing but the row that it was writing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

import msgspec

from sitemapaudit.datasets.schema import LEDGER_TABLES
from sitemapaudit.items import Entries, Entry, Finding, Page, Rendering, Robots, Sitemap

FOLDER: Final = "log"

T = TypeVar("T")

Row = Robots | Sitemap | Entry | Page | Rendering | Finding


def ledger_file(run: Path, table: str, ending: str = "") -> Path:
    """Return the file of one table in the ledger of a run folder; a draft has an ``ending``."""
    return run / FOLDER / f"{table}.jsonl{ending}"


def read_rows(
    file: Path, item: type[T], end: int | None = None, begin: int = 0
) -> Iterator[T | None]:
    """Yield the rows of a ledger file from ``begin`` to ``end`` (bytes); None for a damaged line.

    A last line without its end is passed over: whoever wrote it was cut short.
    """
    if not file.exists():
        return
    decoder = msgspec.json.Decoder(item)
    with file.open("rb") as lines:
        lines.seek(begin)
        while (end is None or lines.tell() < end) and (line := lines.readline()).endswith(b"\n"):
            try:
                yield decoder.decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                yield None


def sound_rows(
    run: Path,
    table: str,
    item: type[T],
    damage: Counter[str] | None = None,
    *,
    begin: int = 0,
    end: int | None = None,
) -> Iterator[T]:
    """Yield the rows of a table that can be read; the others are counted in ``damage``."""
    for row in read_rows(ledger_file(run, table), item, end, begin):
        if row is not None:
            yield row
        elif damage is not None:
            damage[table] += 1


def count_lines(file: Path) -> int:
    """Return how many whole lines a ledger file has."""
    if not file.exists():
        return 0
    with file.open("rb") as blocks:
        return sum(block.count(b"\n") for block in iter(lambda: blocks.read(1 << 20), b""))


class Ledger:
    """Append rows to the ledger of a run folder; ``ending`` is added to the names of its files."""

    def __init__(self, run: Path, ending: str = "") -> None:
        self._encoder = msgspec.json.Encoder()
        self._stack = ExitStack()
        (run / FOLDER).mkdir(parents=True, exist_ok=True)
        self._files: dict[type, BinaryIO] = {
            item: self._stack.enter_context(ledger_file(run, table, ending).open("ab"))
            for table, item in LEDGER_TABLES.items()
        }

    def append(self, item: Robots | Sitemap | Entries | Page | Rendering) -> None:
        """Write one item: a row, or neighbouring entries at once."""
        self.extend(item.rows if isinstance(item, Entries) else (item,))

    def extend(self, rows: Sequence[Row]) -> None:
        """Write rows of one kind, and hand them to the operating system."""
        if rows:
            file = self._files[type(rows[0])]
            file.write(self._encoder.encode_lines(rows))
            file.flush()

    def close(self) -> None:
        """Close the files."""
        self._stack.close()
