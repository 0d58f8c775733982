"""The end of a process."""

import atexit
import os
import sys
from contextlib import suppress
from typing import NoReturn


def end_process(status: int) -> NoReturn:
    """End this process: call its exit handlers, but do not free its objects.

    Python would free each module and function: 0.11 s, after an audit of ten URLs in 1 s.
    """
    atexit._run_exitfuncs()  # noqa: SLF001 - nothing public calls them
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with suppress(BrokenPipeError):  # The reader is gone.
            stream.flush()
    os._exit(status)
