"""Runs a command, and measures the whole of it: wall, processor time, peak memory of its tree."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep, time

import psutil

PROJECT = Path(__file__).parent.parent
_INTERVAL = 0.02


@dataclass(frozen=True)
class Measured:
    """What a command took; memory is the largest sum over it and its children at once."""

    seconds: float
    processor_seconds: float
    megabytes: float
    output: str
    course: tuple[float, ...] = ()
    """Megabytes at every look, in order."""
    moments: tuple[float, ...] = ()
    """The time of every look, in seconds as files have it."""

    def fifths(self) -> list[float]:
        """The median memory of each fifth of the time."""
        step = max(1, len(self.course) // 5)
        return [median(self.course[part * step : (part + 1) * step]) for part in range(5)]


def measure(command: list[str], folder: Path = PROJECT) -> Measured:
    """Run a command to its end; raises CalledProcessError if it fails."""
    begun = perf_counter()
    # advertools starts the ``scrapy`` that it finds on the path.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    watch = _Watch(process.pid)
    output, errors = process.communicate()
    seconds = perf_counter() - begun
    watch.stop()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, output, errors)
    course = tuple(memory / 1e6 for memory in watch.course)
    moments = tuple(watch.moments)
    return Measured(seconds, watch.processor, max(course), output, course, moments)


class _Watch:
    """Looks at a process and its descendants many times a second."""

    def __init__(self, pid: int) -> None:
        self.course: list[int] = []
        self.moments: list[float] = []
        self._times: dict[int, float] = {}
        self._pid = pid
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    @property
    def processor(self) -> float:
        """Seconds of processor time, of the last look at each process."""
        return sum(self._times.values())

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(psutil.Error):
                root = psutil.Process(self._pid)
                self._add([root, *root.children(recursive=True)])
            sleep(_INTERVAL)

    def _add(self, tree: list[psutil.Process]) -> None:
        memory = 0
        for process in tree:
            with contextlib.suppress(psutil.Error):
                memory += process.memory_info().rss
                times = process.cpu_times()
                self._times[process.pid] = times.user + times.system
        self.course.append(memory)
        self.moments.append(time())


def print_sides(sides: dict[str, list[Measured]], pages: int) -> None:
    """Print the medians of each side that did the same job on so many pages."""
    print(f"{'':<14}{'wall s':>9}{'CPU s':>9}{'pages/s':>9}{'peak MB':>9}")
    for name, runs in sides.items():
        seconds = median(run.seconds for run in runs)
        processor = median(run.processor_seconds for run in runs)
        memory = median(run.megabytes for run in runs)
        print(f"{name:<14}{seconds:>9.1f}{processor:>9.1f}{pages / seconds:>9.2f}{memory:>9.0f}")


@contextlib.contextmanager
def website(pages: int) -> Iterator[str]:
    """Serve a website of so many pages on loopback, and give its origin."""
    package = importlib.util.find_spec("pygame")
    if package is None or package.origin is None:
        sys.exit("pip install -c requirements.lock -r benchmarks/requirements.txt")
    html = Path(package.origin).parent / "docs"
    server = PROJECT / "benchmarks" / "server.py"
    command = [sys.executable, str(server), "--pages", str(pages), "--html", str(html)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def audit_command(origin: str, audits: Path, *words: str) -> list[str]:
    """Return the command that audits a website at full speed."""
    command = [sys.executable, "-m", "scrapy", "crawl", "sitemap", "-a", f"site={origin}"]
    settings = ["AUDIT_SPEED=full", f"AUDIT_DIR={audits}", "LOG_LEVEL=WARNING"]
    return [*command, *(word for value in settings for word in ("-s", value)), *words]
