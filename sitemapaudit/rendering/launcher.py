"""The program that Playwright starts: the browser behind the filter for its messages."""

import os
import shlex
import sys
from importlib.resources import files
from pathlib import Path
from typing import Final

_PIPE: Final = "browser_pipe.py"


def write_launcher(program: str, folder: Path) -> str:
    """Return the path of a program that runs the browser through ``browser_pipe.py``.

    Without POSIX, or where the folder does not allow programs, that is the browser itself: its
    messages are not bounded.
    """
    if os.name != "posix":
        return program
    # The package can be an egg, whose files cannot be run.
    pipe = folder / _PIPE
    pipe.write_bytes((files("sitemapaudit.rendering") / _PIPE).read_bytes())
    command = shlex.join([sys.executable, "-I", "-S", str(pipe), program])
    launcher = folder / "browser"
    launcher.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    launcher.chmod(0o700)
    return str(launcher) if os.access(launcher, os.X_OK) else program
