"""Refusals of the system to write: a full disk is neither the site's fault nor the program's."""

import errno
import logging
import os
from typing import Final

import duckdb

from sitemapaudit.machine import DESCRIPTORS, MEMORY, NO_ROOM
from sitemapaudit.runs.file_kinds import RunFileError

_REFUSALS: Final = (*NO_ROOM, *DESCRIPTORS, *MEMORY, errno.EROFS, errno.EACCES)

_NO_ROOM_FOR_SCRATCH: Final = "max_temp_directory_size"
"""In the message of DuckDB if data that exceeds the memory has no room on the disk either."""


class MemoryLimitError(MemoryError):
    """Work needs more memory than AUDIT_MEMORY allows; the message is a sentence."""


def describe_refusal(error: BaseException) -> str | None:
    """Return why the system refused to write, as "No space left on device"; None if it did not."""
    if isinstance(error, OSError):
        return error.strerror if error.errno in _REFUSALS else None
    if isinstance(error, MemoryError):
        return str(error) or os.strerror(errno.ENOMEM)
    if not isinstance(error, duckdb.Error):
        return None
    # DuckDB has no error numbers: its messages contain the words of the system.
    text = str(error)
    if _NO_ROOM_FOR_SCRATCH in text:
        return os.strerror(errno.ENOSPC)
    if isinstance(error, duckdb.OutOfMemoryException):
        return os.strerror(errno.ENOMEM)
    return next((words for words in map(os.strerror, _REFUSALS) if words in text), None)


def log_failure(logger: logging.Logger, what: str, error: Exception) -> str:
    """Log what could not be done, and return why.

    A refusal of the system and a file of a run that cannot be used are one sentence; anything else
    is our fault, and has a traceback.
    """
    refusal = describe_refusal(error)
    reason = refusal or str(error).partition("\n")[0]
    ours = refusal is None and not isinstance(error, RunFileError)
    logger.error("%s: %s", what, reason, exc_info=error if ours else None)
    return reason
