"""Makes the pictures of the README from an audit of the demo: ``make pictures``."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import ViewportSize, sync_playwright
from rich.console import Console
from rich.text import Text

from sitemapaudit import open_run
from sitemapaudit.rendering.browser import find_browser

PICTURES: Final = Path(__file__).with_name("pictures")
COLUMNS: Final = 100
VIEW: Final[ViewportSize] = {"width": 1280, "height": 800}


def main() -> None:
    """Audit the demo, and write both pictures."""
    with tempfile.TemporaryDirectory() as folder:
        output = _audit_in_terminal(Path(folder))
        _draw_terminal(output, PICTURES / "terminal.svg")
        _draw_report(
            open_run(Path(folder) / "audits").path / "report.html", PICTURES / "report.png"
        )


def _audit_in_terminal(folder: Path) -> str:
    """Return what an audit of the demo prints in a terminal."""
    parent, child = pty.openpty()
    words = [sys.executable, "-m", "sitemapaudit", "demo"]
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "LINES": "50", "TERM": "xterm-256color"}
    process = subprocess.Popen(
        words, stdout=child, stderr=subprocess.DEVNULL, cwd=folder, env=environment
    )
    os.close(child)
    printed = bytearray()
    while block := _read(parent):
        printed += block
    process.wait()
    return printed.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # A terminal without a writer is an error, not an end of file.
        return b""


def _draw_terminal(output: str, file: Path) -> None:
    """Draw the summary."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere, force_terminal=True)
        console.print(Text.from_ansi("$ sitemapaudit demo"))
        console.print(Text.from_ansi(output.replace("\r\n", "\n").rstrip()))
        file.write_text(console.export_svg(title="sitemapaudit demo"), encoding="utf-8")


def _draw_report(report: Path, file: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser("").program)
        page = browser.new_page(viewport=VIEW)
        page.goto(report.as_uri())
        page.wait_for_timeout(1_000)
        page.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    main()
