"""The links of a run: two append-only files, which a killed process leaves intact.

``links.edges`` has a block for each page: a header with the digest of its URL, then nine bytes for
each link. ``links.urls`` has the URLs, one per line. Their digests identify them, so that a damaged
line names nothing. A page that occurs twice was fetched twice: its last block counts. The links of
the page in the browser have a separate block.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Self
from zlib import crc32

from msgspec import Struct

from sitemapaudit.pages.links import EDGE_BYTES, MAX_LINKS, PageLinks
from sitemapaudit.runs.durable import SYNC_INTERVAL, Repeating, sync_folder
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.urls.url_set import UrlSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EDGES: Final = "links.edges"
NAMES: Final = "links.urls"
FILES: Final = (EDGES, NAMES)

_MARK: Final = b"lnk\1"
_HEADER: Final = struct.Struct("!4s8sIII")
"""A mark, the digest of the page, the numbers of links and of dropped links, and a checksum."""

_RENDERED: Final = 1 << 31
"""The bit of the number of dropped links that marks a rendered page."""

_UNCHECKED: Final = _HEADER.size - 4
_READ: Final = 1 << 22

BATCH_BLOCKS: Final = 20_000
"""The number of blocks that are read together: about a million links."""


@dataclass(slots=True, frozen=True)
class LinkRecord:
    """The links of a page as written, and the URLs in it that may be new."""

    block: bytes
    names: list[str]

    @classmethod
    def of(cls, links: PageLinks, *, rendered: bool = False) -> Self:
        """Return the record of a page, fetched or ``rendered``.

        This process knows its URLs from now on.
        """
        count = len(links.edges) // EDGE_BYTES
        dropped = links.dropped | (_RENDERED if rendered else 0)
        header = _HEADER.pack(_MARK, links.digest, count, dropped, 0)[:_UNCHECKED]
        checksum = crc32(links.edges, crc32(header))
        return cls(header + checksum.to_bytes(4, "big") + links.edges, links.take_names())


class Block(Struct, frozen=True):
    """The links of a page as read; ``end`` is the byte after them.

    ``rendered`` says whether the page was rendered. ``content`` is the whole block.
    """

    source: int
    dropped: int
    rendered: bool
    edges: memoryview
    content: memoryview
    end: int


def link_file(run: Path, name: str) -> Path:
    """Return a file of the links of a run folder."""
    return run / FOLDER / name


def has_links(run: Path) -> bool:
    """Return whether the links of a run were recorded."""
    return link_file(run, EDGES).exists()


def read_blocks(run: Path, start: int = 0) -> Iterator[Block]:
    """Yield the blocks of a run from a byte on; unfinished and damaged ones are skipped."""
    with suppress(FileNotFoundError), link_file(run, EDGES).open("rb") as file:
        file.seek(start)
        position, content = start, b""
        while True:
            more = file.read(_READ)
            content += more
            used = 0
            for block, end in _blocks(content, position, is_last=not more):
                used = end
                if block is not None:
                    yield block
            if not more:
                return
            position, content = position + used, content[used:]


def _blocks(content: bytes, position: int, *, is_last: bool) -> Iterator[tuple[Block | None, int]]:
    """Yield the blocks of a part of a file, each with the beginning of the next."""
    view, here = memoryview(content), 0
    while (found := content.find(_MARK, here)) >= 0:
        size = _size(content, found)
        if size is None or (found + size > len(content) and is_last):
            here = found + 1  # Not a block, or the unfinished last one.
            continue
        if found + size > len(content):
            yield None, found
            return
        block = parse_block(view[found : found + size], position + found + size)
        here = found + (size if block else 1)
        yield block, here
    yield None, max(here, len(content) - len(_MARK) + 1)


def _size(content: bytes, begin: int) -> int | None:
    """Return the size of the block that begins here, in bytes; None if there is none."""
    if len(content) - begin < _HEADER.size:
        return _HEADER.size
    count: int = _HEADER.unpack_from(content, begin)[2]
    return _HEADER.size + count * EDGE_BYTES if count <= MAX_LINKS else None


def parse_block(part: memoryview, end: int) -> Block | None:
    """Return a block from its bytes; None if they are damaged."""
    _, source, _, dropped, checksum = _HEADER.unpack_from(part)
    edges = part[_HEADER.size :]
    if crc32(edges, crc32(part[:_UNCHECKED])) != checksum:
        return None
    rendered = dropped >= _RENDERED
    return Block(int.from_bytes(source, "big"), dropped % _RENDERED, rendered, edges, part, end)


def edge_array(edges: Iterable[bytes | memoryview]) -> NDArray[np.void]:
    """Return the links of blocks as an array with the fields ``target`` and ``flags``."""
    import numpy as np  # noqa: PLC0415 - few runs record links

    edge = np.dtype([("target", ">u8"), ("flags", "u1")])
    return np.frombuffer(b"".join(edges), dtype=edge)


def read_names(run: Path) -> Iterator[str]:
    """Yield the URLs of a run, including damaged ones, which have other digests."""
    return (url for url, _ in name_lines(run))


def name_lines(run: Path, start: int = 0) -> Iterator[tuple[str, int]]:
    """Yield the URLs of a run from a byte on, each with the byte after it."""
    end = start
    with suppress(FileNotFoundError), link_file(run, NAMES).open("rb") as lines:
        lines.seek(start)
        for line in lines:
            end += len(line)
            if line.endswith(b"\n"):
                with suppress(UnicodeDecodeError):
                    yield line[:-1].decode(), end


class LinkLog:
    """Appends the links of pages to the files of a run folder.

    They are on the disk after a second, and when the log is closed. An unfinished end is removed
    first.
    """

    def __init__(self, run: Path) -> None:
        (run / FOLDER).mkdir(parents=True, exist_ok=True)
        self._known = _drop_unfinished(run)
        self._stack = ExitStack()
        self._files: Mapping[str, BinaryIO] = {
            name: self._stack.enter_context(link_file(run, name).open("ab")) for name in FILES
        }
        sync_folder(run / FOLDER)
        self._error: OSError | None = None
        self._stack.enter_context(Repeating(self._try_sync, SYNC_INTERVAL))

    def write(self, record: LinkRecord) -> None:
        """Write the links of a page, after the URLs that they name. Raises OSError."""
        if self._error:
            raise self._error
        self.write_names(record.names)
        self._append(EDGES, record.block)

    def write_names(self, names: Iterable[str]) -> None:
        """Write new URLs. Raises OSError."""
        new = [f"{url}\n" for url in names if self._known.add(url)]
        if new:
            self._append(NAMES, "".join(new).encode())

    def close(self) -> None:
        """Close the files, with everything on the disk. Raises OSError."""
        with self._stack:
            self._sync()
        if self._error:
            raise self._error

    def _append(self, name: str, content: bytes) -> None:
        self._files[name].write(content)
        self._files[name].flush()

    def _try_sync(self) -> None:
        try:
            self._sync()
        except OSError as error:
            self._error = error

    def _sync(self) -> None:
        for file in self._files.values():
            os.fsync(file.fileno())


def _drop_unfinished(run: Path) -> UrlSet:
    """Remove the unfinished ends of the files; return their URLs."""
    end = 0
    for block in read_blocks(run):
        end = block.end
    known = UrlSet()
    for url in read_names(run):
        known.add(url)
    for name, length in ((EDGES, end), (NAMES, _end_of_lines(link_file(run, NAMES)))):
        with suppress(FileNotFoundError):
            os.truncate(link_file(run, name), length)
    return known


def _end_of_lines(file: Path) -> int:
    """Return the byte after the last complete line of a file."""
    end = position = 0
    with suppress(FileNotFoundError), file.open("rb") as blocks:
        while block := blocks.read(_READ):
            if b"\n" in block:
                end = position + block.rfind(b"\n") + 1
            position += len(block)
    return end


def linked_sources(run: Path) -> UrlSet:
    """Return the pages of a run whose links were recorded."""
    sources = UrlSet()
    for block in read_blocks(run):
        if not block.rendered:
            sources.add_digest(block.source)
    return sources
