"""An audit whose child processes are at work, and the ways to stop it."""

import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

from tests.plugins.interpreters.commands import Command

WORKERS = 2
PATIENCE = 30
"""Seconds in which processes are ready, or end, on any machine."""


@dataclass
class Running:
    """An audit that runs, its folder, its child processes, and the process that started them."""

    process: Command
    run: Path
    children: list[psutil.Process]
    starter: psutil.Process

    @classmethod
    def of(cls, process: Command, run: Path) -> Self:
        """Return an audit whose child processes have been started."""
        (starter,) = psutil.Process(process.pid).children()
        return cls(process, run, starter.children(), starter)

    @property
    def log(self) -> str:
        file = self.run / "crawl.log"
        return file.read_text() if file.exists() else ""

    def check_ended(self) -> None:
        """Fail if a child process, or the one that started it, has not ended."""
        _, alive = psutil.wait_procs([*self.children, self.starter], PATIENCE)
        assert not alive


def interrupt(running: Running) -> None:
    """Press Ctrl-C: all processes of a terminal get the signal."""
    main = psutil.Process(running.process.pid)
    for process in (*running.children, running.starter, main):
        process.send_signal(signal.SIGINT)


def cancel(running: Running) -> None:
    """Cancel a job of Scrapyd: only the process that it started gets the signal."""
    running.process.signal(signal.SIGTERM)


def children_of(process: Command) -> list[psutil.Process]:
    """Return the child processes that an audit has so far."""
    starters = psutil.Process(process.pid).children()
    return [child for starter in starters for child in starter.children()]


def wait_for_workers(audits: Path) -> None:
    """Wait until the workers of a run are ready, or as long as they may take."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for log in audits.glob("*/*/crawl.log"):
            if log.read_text().count("A worker is ready") == WORKERS:
                return
        time.sleep(0.05)
