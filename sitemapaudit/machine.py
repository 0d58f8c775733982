"""Faults of this machine: what the system refuses a program, whatever the site does.

Such a fault stops an audit, which can be resumed. It is never a fault of the site.
"""

import errno
import os
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, of a quota and of a limit of the size of a file."""

DESCRIPTORS: Final = (errno.EMFILE, errno.ENFILE)
"""Errors of the limits of open files, of a process and of the system."""

MEMORY: Final = (errno.ENOMEM, errno.ENOBUFS)

_OF_FILES: Final = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, *NO_ROOM)
"""Errors of files. A connection can have some of them too, without the name of a file."""

_REMEDIES: Final = {
    NO_ROOM: "make room",
    DESCRIPTORS: "raise the limit of open files (ulimit -n)",
    MEMORY: "free memory",
    (errno.EACCES, errno.EPERM, errno.EROFS): "change its permissions",
}
_LEAST: Final = {
    "RLIMIT_NOFILE": ("the limit of open files (ulimit -n) is", 32, 1, ""),
    "RLIMIT_AS": ("the limit of the address space (ulimit -v) is", 2_500, 10**6, " MB"),
    "RLIMIT_DATA": ("the limit of the data (ulimit -d) is", 400, 10**6, " MB"),
}
"""The lowest limits of a process, with their units, and what they are called.

With less, libraries end the process, often without a word. They were measured with ten URLs.
"""

_THREADS: Final = "can't start new thread"
"""The message of a RuntimeError of Python if there are too many threads."""


class MachineFault(Struct, frozen=True):
    """The reason why this machine cannot continue, and what to do."""

    reason: str
    remedy: str


def find_shortage(error: BaseException) -> MachineFault | None:
    """Return what this machine ran out of, if that is the cause of an exception."""
    for cause in causes(error):
        words = _describe_shortage(cause)
        if words is not None:
            number = cause.errno if isinstance(cause, OSError) else errno.ENOMEM
            return MachineFault(f"this machine failed: {words}", remedy_of(number))
    return None


def find_low_limit() -> MachineFault | None:
    """Return the limit of this process with which no library works, if there is one."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return None
    for name, (words, least, unit, suffix) in _LEAST.items():
        limit, _ = resource.getrlimit(getattr(resource, name))
        if limit != resource.RLIM_INFINITY and limit < least * unit:
            reason = f"{words} {limit // unit:,}{suffix}"
            return MachineFault(reason, f"raise it to at least {least:,}{suffix}")
    return None


def causes(exception: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its causes; aiohttp sometimes sets only the context."""
    found: list[BaseException] = []
    cause: BaseException | None = exception
    while cause is not None and cause not in found:
        yield cause
        found.append(cause)
        cause = cause.__cause__ or cause.__context__


def remedy_of(number: int | None) -> str:
    """Return what to do about an error number of the system."""
    return next((words for group, words in _REMEDIES.items() if number in group), "repair that")


def _describe_shortage(error: BaseException) -> str | None:
    if isinstance(error, OSError):
        return _describe_refusal(error)
    if isinstance(error, MemoryError):
        return str(error) or os.strerror(errno.ENOMEM)
    if isinstance(error, RuntimeError) and _THREADS in str(error):
        return _THREADS
    return None


def _describe_refusal(error: OSError) -> str | None:
    if error.errno in (*DESCRIPTORS, *MEMORY):
        return os.strerror(error.errno)
    if error.errno in _OF_FILES and error.filename is not None:
        return f"{error.filename}: {os.strerror(error.errno)}"
    return None
