"""Refusals and failures of commands: none has the exit status of findings."""

import os
import traceback
from pathlib import Path

from sitemapaudit.cli.command import INCOMPLETE, USAGE_ERROR, refuse
from sitemapaudit.machine import NO_ROOM, find_shortage
from sitemapaudit.output import say
from sitemapaudit.runs.folders import RunInUseError


def refuse_error(error: Exception, folder: Path) -> int:
    """Print why a folder could not be written, and return the exit status.

    If the disk is full, the work is incomplete; anything else is a mistake of the caller.
    """
    if isinstance(error, RunInUseError):
        return refuse(error)
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    is_full = any(os.strerror(number) in reason for number in NO_ROOM)
    return refuse(f"{folder} cannot be written: {reason}", INCOMPLETE if is_full else USAGE_ERROR)


def refuse_failure(error: BaseException) -> int:
    """Print why a command failed, and return the exit status.

    A fault of this machine is one sentence. Anything else is our fault, and has a traceback.
    """
    if isinstance(error, KeyboardInterrupt):
        return refuse("Stopped", INCOMPLETE)
    from sitemapaudit.datasets.refusals import MemoryLimitError, describe_refusal  # noqa: PLC0415

    if isinstance(error, MemoryLimitError):
        return refuse(str(error), INCOMPLETE)
    if (fault := find_shortage(error)) is not None:
        return refuse(f"{fault.reason}; {fault.remedy}", INCOMPLETE)
    if (reason := describe_refusal(error)) is not None:
        return refuse(f"this machine failed: {reason}", INCOMPLETE)
    say("".join(traceback.format_exception(error)), error=True)
    return INCOMPLETE
