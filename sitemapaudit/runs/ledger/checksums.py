"""Checksums of the ledger: a line that lost some of its bytes can still be JSON.

Lines that are written together are a block, or several if they are more than a few kilobytes. The
first line of a block begins with the checksum of all of them: ``{"sum":"0a1b2c3d","url":…``. A
block ends where the next one begins. Each line of a block whose checksum is wrong is damaged. Lines
before the first block, as in the files of earlier versions, have no checksum.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

from sitemapaudit.caps import MAX_LINE

REST: Final = b"\0"
"""The first byte of the rest of a line that is too long: no row is read from it."""

_BYTES: Final = 4096
"""Bytes after which the next line begins a new block: some 30 entries."""

_MARK: Final = b'{"sum":"'
_HEAD: Final = len(_MARK) + 8 + len('",')
_START: Final = crc32(b"{")
_BEGIN: Final = b"\n" + _MARK
_READ: Final = 1 << 20


def add_checksums(lines: bytes) -> bytes:
    """Return lines as blocks; each line is an object with at least one key."""
    blocks, begin = [], 0
    while begin < len(lines):
        end = lines.find(b"\n", begin + _BYTES) + 1 or len(lines)
        body = lines[begin + 1 : end]
        blocks.append(b'%b%08x",%b' % (_MARK, crc32(body, _START), body))
        begin = end
    return b"".join(blocks)


def checked_lines(lines: Iterable[bytes]) -> Iterator[bytes | None]:
    """Yield the lines of a file; None for each line of a block with a wrong checksum."""
    block: list[bytes] | None = None
    size = 0
    for line in lines:
        if line.startswith((_MARK, REST)) or size > MAX_LINE + _BYTES:
            yield from _checked(block or [])
            block, size = [], 0
        if block is None:
            yield line
        else:
            block.append(line)
            size += len(line)
    yield from _checked(block or [])


def _checked(block: list[bytes]) -> Iterator[bytes | None]:
    """Yield the lines of a block, and None for each line behind its end."""
    sound = 0
    if block and block[0].startswith(_MARK):
        wanted = block[0][len(_MARK) : _HEAD - len('",')]
        checksum = crc32(block[0][_HEAD:], _START)
        for number, line in enumerate(block):
            checksum = crc32(line, checksum) if number else checksum
            if b"%08x" % checksum == wanted:
                sound = number + 1
                break
    yield from block[:sound]
    yield from [None] * (len(block) - sound)


def _is_sound(block: bytes) -> bool:
    body = memoryview(block)[_HEAD:]
    return block.startswith(b'%b%08x",' % (_MARK, crc32(body, _START)))


def is_sound(file: Path) -> bool:
    """Return whether each block of a ledger file has the right checksum."""
    with file.open("rb") as content:
        waiting = b"\n"
        while more := content.read(_READ):
            waiting += more
            begin = waiting.find(_BEGIN)
            while (end := waiting.find(_BEGIN, begin + 1)) > begin >= 0:
                if not _is_sound(waiting[begin + 1 : end + 1]):
                    return False
                begin = end
            waiting = waiting[begin if begin >= 0 else -len(_BEGIN) :]
            if len(waiting) > MAX_LINE + _BYTES:
                return False
    return not waiting.startswith(_BEGIN) or _is_sound(waiting[1:])
