"""Finds a browser that starts.

``python -m sitemapaudit.rendering.browser`` prints the browser that an audit would use.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from sitemapaudit.config import ConfigError
from sitemapaudit.output import say

REMEDY: Final = (
    "install one with `playwright install chromium` or, on Debian, `apt-get install"
    " chromium-headless-shell`, or set AUDIT_BROWSER to its program"
)

_WITHOUT_WINDOWS: Final = ("/usr/lib/chromium/chromium-headless-shell", "chrome-headless-shell")
"""Browsers without windows, which start four times as fast and take half the memory.

Debian's command is a script that stays the parent of its browser, so its program is used directly.
"""

_COMMANDS: Final = (
    "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
    "microsoft-edge-stable", "microsoft-edge", "msedge",
)  # fmt: skip
_PLACES: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "{ProgramFiles}/Google/Chrome/Application/chrome.exe",
    "{ProgramFiles(x86)}/Google/Chrome/Application/chrome.exe",
    "{LocalAppData}/Google/Chrome/Application/chrome.exe",
    "{ProgramFiles(x86)}/Microsoft/Edge/Application/msedge.exe",
)
_PLAYWRIGHT_CACHES: Final = (
    "{XDG_CACHE_HOME}", "~/.cache", "~/Library/Caches", "{LocalAppData}", "~/AppData/Local",
)  # fmt: skip
_PROGRAM: Final = re.compile(
    r"(?:chrome|Chromium|Google Chrome for Testing|headless_shell|chrome-headless-shell)(?:\.exe)?"
)
_LOCATION: Final = re.compile(r"(?i)^\s*install location:\s*(.*chromium.*?)\s*$", re.MULTILINE)
_TRIAL: Final = ("--headless", "--disable-gpu", "--dump-dom", "about:blank")
_TRIAL_TIME: Final = 60
_NO_SANDBOX: Final = "--no-sandbox"


class Browser(Struct, frozen=True):
    """A browser that starts: its program, and whether its sandbox works."""

    program: str
    sandbox: bool


@cache
def find_browser(named: str, need: str = "render") -> Browser:
    """Return the browser to use: the named one, Playwright's, or one in the usual places.

    ``need`` is the argument that needs it.

    Raises ConfigError if there is none, or if it does not start.
    """
    programs = iter([named]) if named else _programs()
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        where = (
            f"AUDIT_BROWSER: {named!r} is not a program"
            if named
            else f"{need}: there is no browser"
        )
        raise ConfigError(f"{where}; {REMEDY}.")
    # As root there is no sandbox, and in many containers it does not work.
    for sandbox in (False,) if _is_root() else (True, False):
        error_text = _start_error(program, sandbox=sandbox)
        if error_text is None:
            return Browser(program, sandbox)
    raise ConfigError(f"{need}: the browser {program} does not start ({error_text}); {REMEDY}.")


def _programs() -> Iterator[str]:
    yield from _playwright_programs()
    yield from _WITHOUT_WINDOWS
    yield from _COMMANDS
    for place in _PLACES:
        yield _filled(place)


def _filled(place: str) -> str:
    """Return a path with the environment variables in braces replaced."""
    return re.sub(r"{(.*?)}", lambda match: os.environ.get(match[1], ""), place)


def _playwright_programs() -> Iterator[str]:
    """Yield the programs that ``playwright install`` has installed."""
    caches = (Path(_filled(cache)).expanduser() / "ms-playwright" for cache in _PLAYWRIGHT_CACHES)
    if "PLAYWRIGHT_BROWSERS_PATH" not in os.environ and not any(map(Path.is_dir, caches)):
        return  # To ask Playwright takes a second.
    command = [sys.executable, "-m", "playwright", "install", "--dry-run", "chromium"]
    listing = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    for folder in map(Path, _LOCATION.findall(listing.stdout)):
        yield from (str(file) for file in folder.rglob("*") if _PROGRAM.fullmatch(file.name))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _start_error(program: str, *, sandbox: bool) -> str | None:
    """Open an empty page; return what is wrong, or None."""
    command = [program, *_TRIAL, *([] if sandbox else [_NO_SANDBOX])]
    try:
        tried = subprocess.run(  # noqa: S603 - the program that the user has chosen
            command, capture_output=True, text=True, timeout=_TRIAL_TIME, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.returncode == 0 and "<html" in tried.stdout:
        return None
    lines = tried.stderr.strip().splitlines()
    return lines[-1] if lines else f"exit status {tried.returncode}"


if __name__ == "__main__":
    try:
        say(find_browser(os.environ.get("AUDIT_BROWSER", "")).program)
    except ConfigError as error:
        sys.exit(str(error))
