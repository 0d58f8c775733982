"""Reads files that others wrote: within a limit of bytes, and without waiting for ever."""

import os
import select
import stat
import time
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
    number = os.open(file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        is_regular = stat.S_ISREG(os.fstat(number).st_mode)
        content = bytearray()
        while part := os.read(number, _CHUNK) if is_regular else _read_pipe(number):
            content += part
            if len(content) > limit:
                raise UnusableFileError(f"it is larger than {limit:,} bytes")
        return bytes(content)
    finally:
        os.close(number)


def read_text(file: Path, limit: int = MAX_BYTES) -> str:
    """Return the text of a file in UTF-8, without a byte order mark. Raises OSError."""
    try:
        return read_bytes(file, limit).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnusableFileError("it is not a text in UTF-8") from None


def _read_pipe(number: int) -> bytes:
    end = time.monotonic() + PATIENCE
    while select.select([number], [], [], max(0.0, end - time.monotonic()))[0]:
        try:
            return os.read(number, _CHUNK)
        except BlockingIOError:  # Another process was faster.
            continue
    raise UnusableFileError(f"nothing arrived in {PATIENCE:g} seconds")
