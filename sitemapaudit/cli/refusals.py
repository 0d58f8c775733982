"""Refusals of commands that cannot write."""

import os
from pathlib import Path

from sitemapaudit.cli.command import INCOMPLETE, USAGE_ERROR, refuse
from sitemapaudit.machine import NO_ROOM
from sitemapaudit.runs.folders import RunInUseError


def refuse_error(error: Exception, folder: Path) -> int:
    """Print why a folder could not be written, and return the exit status.

    If the disk is full, the work is incomplete; anything else is a mistake of the caller.
    """
    if isinstance(error, RunInUseError):
        return refuse(str(error))
    reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
    is_full = any(os.strerror(number) in reason for number in NO_ROOM)
    return refuse(f"{folder} cannot be written: {reason}", INCOMPLETE if is_full else USAGE_ERROR)
