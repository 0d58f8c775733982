"""The files of a running audit in a store: parts of a mebibyte, and a snapshot that counts them.

Object stores cannot append to an object. Each file of the ledger is stored in full parts and a
tail, which is replaced until it is a full part. The snapshot says how many bytes of each file
count. What it names is never written again, except by the same bytes: a writer that is killed at
any moment leaves the former snapshot, whose parts are whole. So tails and snapshots have two places
each, which are used in turn.
"""

import os
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from typing import Final, Self

import msgspec
from msgspec import Struct

from sitemapaudit.runs.folder_names import FOLDER

PART: Final = 1 << 20
"""Bytes of a full part."""

_UPLOAD: Final = "upload"

PARTS: Final = f"{_UPLOAD}/parts"
"""The folder of the parts: one folder for each writer."""

_PLACES: Final = tuple(f"{_UPLOAD}/snapshot-{number}.json" for number in range(2))
_AT_ONCE: Final = 8

Read = Callable[[str], bytes | None]
"""Returns the content of an object, or None."""


class StoredFile(Struct, frozen=True, array_like=True):
    """The size of a file in bytes, and the place of its tail: 0 or 1."""

    size: int = 0
    tail: int = 1

    def parts(self, name: str) -> Iterator[tuple[str, int]]:
        """Yield the names of the parts of a file, with the bytes that count of each."""
        full, rest = divmod(self.size, PART)
        for number in range(full):
            yield full_part(name, number), PART
        if rest:
            yield tail_part(name, self.tail), rest


def full_part(name: str, number: int) -> str:
    """Return the name of a full part of a file."""
    return f"{name}.{number}"


def tail_part(name: str, place: int) -> str:
    """Return the name of a tail of a file."""
    return f"{name}.tail-{place}"


class Snapshot(Struct, frozen=True):
    """The state of a run in a store.

    ``writer`` is the process that uploads: a later one has a greater name. ``beat`` counts its
    snapshots, ``ended`` says that it has released the run, and ``process`` names it for people.
    ``parts`` is the writer whose ``files`` count: that of an earlier process until this one has
    uploaded everything. ``manifest`` is run.json.
    """

    writer: str
    process: str
    beat: int = 0
    ended: bool = False
    parts: str = ""
    files: dict[str, StoredFile] = {}
    manifest: msgspec.Raw = msgspec.Raw(b"{}")

    @classmethod
    def read(cls, read: Read) -> Self | None:
        """Return the newest snapshot of a run; None if there is none. Raises OSError."""
        found = []
        for place in _PLACES:
            try:
                found.append(msgspec.json.decode(read(place) or b"", type=cls))
            except msgspec.MsgspecError:  # There is none, or its writer was killed.
                continue
        return max(found, key=lambda each: (each.writer, each.beat), default=None)

    @property
    def place(self) -> str:
        """The name of its object."""
        return _PLACES[self.beat % len(_PLACES)]

    def copy(self, name: str, read: Read, into: Path) -> None:
        """Copy a file of the ledger into a run folder, if the store has it. Raises OSError."""
        target = into / FOLDER / name
        if name not in self.files:
            target.unlink(missing_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        parts = [*self.files[name].parts(name)]

        def content(part: tuple[str, int]) -> bytes:
            found = read(f"{PARTS}/{self.parts}/{part[0]}") or b""
            if len(found) < part[1]:
                raise OSError(f"the store lacks a part of {name}: {part[0]}")
            return found[: part[1]]

        with ThreadPoolExecutor(_AT_ONCE) as pool, target.open("wb") as file:
            for first in range(0, len(parts), _AT_ONCE):
                file.writelines(pool.map(content, parts[first : first + _AT_ONCE]))


def next_writer(before: Snapshot | None) -> str:
    """Return the name of a writer, which is greater than that of the one before."""
    number = int(before.writer.partition("-")[0]) if before else 0
    return f"{number + 1:06d}-{token_hex(4)}"


def this_process() -> str:
    """Return the name of this process for people."""
    return f"process {os.getpid()} on {socket.gethostname()}"
