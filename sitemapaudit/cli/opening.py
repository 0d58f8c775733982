"""Opens the report of a run in the browser."""

import os
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sitemapaudit.cli.command import SUCCESS, refuse
from sitemapaudit.output import say
from sitemapaudit.report.report_page import NAME

_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
"""A browser needs one of these variables, except on macOS and Windows."""


def open_report(run: Path) -> int:
    """Open the report of a run, and print its place; return the exit status."""
    report = run / NAME
    if not report.is_file():
        return refuse(f"{run} has no report: sitemapaudit report builds it")
    say(str(report))
    open_address(report.resolve().as_uri())
    return SUCCESS


def open_address(address: str) -> None:
    """Open an address in the browser, or say why there is none."""
    if not _has_screen(os.environ) or not webbrowser.open(address):
        say("There is no browser here: open it elsewhere.", error=True)


def _has_screen(environment: Mapping[str, str]) -> bool:
    """Return whether there is a screen for a browser: without one, w3m would take the terminal."""
    if environment.get("CI", "").lower() not in ("", "0", "false"):
        return False
    return sys.platform in ("darwin", "win32") or any(map(environment.get, _DISPLAYS))
