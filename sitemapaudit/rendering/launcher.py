"""The program that Playwright starts: the browser behind the filter of its messages."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from sitemapaudit.rendering import browser_pipe


def write_launcher(program: str, folder: Path) -> str:
    """Return the path of a program that runs the browser, with ``browser_pipe`` in between.

    Without POSIX, or where the folder allows no programs, that is the browser itself: its messages
    are not bounded.
    """
    if os.name != "posix":
        return program
    command = shlex.join([sys.executable, "-I", "-S", browser_pipe.__file__, program])
    launcher = folder / "browser"
    launcher.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    launcher.chmod(0o700)
    return str(launcher) if os.access(launcher, os.X_OK) else program
