"""An audit whose child processes are at work, and the ways to stop it."""

import signal
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.plugins.interpreters.commands import Command

WORKERS = 2
PATIENCE = 30
"""Seconds in which processes are ready, or end, on any machine."""


@dataclass
class Running:
    """An audit that runs, its folder, and its child processes."""

    process: Command
    run: Path
    children: list[psutil.Process]

    @property
    def log(self) -> str:
        file = self.run / "crawl.log"
        return file.read_text() if file.exists() else ""

    def check_ended(self) -> None:
        """Fail if a child process has not ended."""
        _, alive = psutil.wait_procs(self.children, PATIENCE)
        assert not alive


def interrupt(running: Running) -> None:
    """Press Ctrl-C: all processes of a terminal get the signal."""
    for process in (*running.children, psutil.Process(running.process.pid)):
        process.send_signal(signal.SIGINT)


def cancel(running: Running) -> None:
    """Cancel a job of Scrapyd: only the process that it started gets the signal."""
    running.process.signal(signal.SIGTERM)


def wait_for_workers(audits: Path) -> None:
    """Wait until the workers of a run are ready, or as long as they may take."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for log in audits.glob("*/*/crawl.log"):
            if log.read_text().count("A worker is ready") == WORKERS:
                return
        time.sleep(0.05)
