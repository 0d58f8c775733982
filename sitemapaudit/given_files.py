"""Reads files that others wrote: within a limit of bytes, and without waiting for ever."""

import os
import select
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

MAX_BYTES: Final = 2**26
"""Bytes of a file with arguments, addresses or known findings."""

PATIENCE: Final = 10.0
"""Seconds in which the next bytes of a pipe must arrive."""

_CHUNK: Final = 2**16


class UnusableFileError(OSError):
    """A file is not read; the message is the reason, in words that follow "cannot be read:"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.strerror = reason


def read_bytes(file: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the content of a file or a pipe. Raises OSError."""
    with _opened(file) as (number, is_regular):
        content = bytearray()
        while part := os.read(number, _CHUNK) if is_regular else _read_pipe(number):
            content += part
            if len(content) > limit:
                raise UnusableFileError(f"it is larger than {limit:,} bytes")
        return bytes(content)


def read_parts(file: Path) -> Iterator[bytes]:
    """Yield the content of a regular file in parts. Raises OSError, also for a pipe."""
    with _opened(file) as (number, is_regular):
        if not is_regular:
            raise UnusableFileError("it is not a file")
        while part := os.read(number, _CHUNK):
            yield part


def read_text(file: Path, limit: int = MAX_BYTES) -> str:
    """Return the text of a file in UTF-8, without a byte order mark. Raises OSError."""
    try:
        return read_bytes(file, limit).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnusableFileError("it is not a text in UTF-8") from None


@contextmanager
def _opened(file: Path) -> Iterator[tuple[int, bool]]:
    """Open a file or a pipe, which may have no writer; also give whether it is a regular file."""
    number = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        yield number, stat.S_ISREG(os.fstat(number).st_mode)
    finally:
        os.close(number)


def _read_pipe(number: int) -> bytes:
    end = time.monotonic() + PATIENCE
    while select.select([number], [], [], max(0.0, end - time.monotonic()))[0]:
        try:
            return os.read(number, _CHUNK)
        except BlockingIOError:  # Another process was faster.
            continue
    raise UnusableFileError(f"nothing arrived in {PATIENCE:g} seconds")
