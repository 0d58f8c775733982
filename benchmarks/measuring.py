"""Measures commands: wall time, CPU time, and the peak memory of the process tree."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, time

import psutil

PROJECT = Path(__file__).parent.parent
RESULTS = "BENCHMARK_RESULTS"
"""The environment variable with the file to which results are appended."""

_INTERVAL = 0.05
"""Seconds between two samples, at least."""

_PAUSE = 50
"""Times that a sample takes until the next one: the sampler takes 2 % of a processor.

The memory of several processes takes milliseconds to find out.
"""


@dataclass(frozen=True)
class Measured:
    """The cost of a command; ``megabytes`` is the peak of the sum over its process tree.

    Memory that several processes share counts once (PSS), where the system tells it.
    """

    seconds: float
    cpu_seconds: float
    megabytes: float
    output: str
    memory_samples: tuple[float, ...] = ()
    """Megabytes of each sample, in order."""
    sample_times: tuple[float, ...] = ()
    """The time of each sample, in seconds since the epoch."""
    main_cpu_seconds: float = 0
    """CPU time of the process that was started, without its children."""
    children_megabytes: float = 0
    """Median of the memory of all its descendants, while there are any."""

    def fifths(self) -> list[float]:
        """Return the median memory of each fifth of the run."""
        step = max(1, len(self.memory_samples) // 5)
        return [median(self.memory_samples[part * step : (part + 1) * step]) for part in range(5)]


def measure(command: list[str], folder: Path = PROJECT) -> Measured:
    """Run a command to its end. Raises CalledProcessError if it fails."""
    started, cpu_before = perf_counter(), _children_cpu_seconds()
    # advertools starts the first ``scrapy`` on the path.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    sampler = _Sampler(process.pid)
    output, errors = process.communicate()
    seconds = perf_counter() - started
    sampler.stop()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, output, errors)
    samples = tuple(memory / 1e6 for memory in sampler.memory)
    times = tuple(sampler.times)
    # The system knows to the end what those processes took for which their parents waited.
    cpu = max(sampler.cpu_seconds, _children_cpu_seconds() - cpu_before)
    peak, own = max(samples), sampler.main_cpu_seconds
    children = median(sampler.of_children or [0]) / 1e6
    return Measured(seconds, cpu, peak, output, samples, times, own, children)


def _children_cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class _Sampler:
    """Samples a process and its descendants many times per second."""

    def __init__(self, pid: int) -> None:
        self.memory: list[int] = []
        self.of_children: list[int] = []
        self.times: list[float] = []
        self._cpu_times: dict[int, float] = {}
        self._pid = pid
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()

    @property
    def cpu_seconds(self) -> float:
        """CPU time, from the last sample of each process."""
        return sum(self._cpu_times.values())

    @property
    def main_cpu_seconds(self) -> float:
        """CPU time of the root of the tree."""
        return self._cpu_times.get(self._pid, 0)

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._stopped.is_set():
            started = perf_counter()
            with contextlib.suppress(psutil.Error):
                root = psutil.Process(self._pid)
                self._add([root, *root.children(recursive=True)])
            self._stopped.wait(max(_INTERVAL, _PAUSE * (perf_counter() - started)))

    def _add(self, tree: list[psutil.Process]) -> None:
        memory: dict[int, int] = {}
        for process in tree:
            with contextlib.suppress(psutil.Error):
                memory[process.pid] = _resident(process, shares=len(tree) > 1)
                times = process.cpu_times()
                self._cpu_times[process.pid] = times.user + times.system
        self.memory.append(sum(memory.values()))
        if len(memory) > 1:
            self.of_children.append(sum(memory.values()) - memory.get(self._pid, 0))
        self.times.append(time())


def _resident(process: psutil.Process, *, shares: bool) -> int:
    """Return the bytes of a process in memory; of those that it shares, its part."""
    if shares and hasattr(process, "memory_full_info"):
        full = process.memory_full_info()
        return int(getattr(full, "pss", full.rss))
    return int(process.memory_info().rss)


def record(what: str, value: str, goal: str = "") -> None:
    """Print a result, and append it to the file of results, if there is one."""
    print(f"{what}: {value}" + (f" (goal: {goal})" if goal else ""), flush=True)
    if file := os.environ.get(RESULTS):
        with Path(file).open("a", encoding="utf-8") as results:
            results.write(json.dumps({"what": what, "value": value, "goal": goal}) + "\n")


def print_results(results: dict[str, list[Measured]], pages: int) -> None:
    """Print the medians of each program; ``pages`` is the number of pages in each run."""
    print(f"{'':<14}{'wall s':>9}{'CPU s':>9}{'pages/s':>9}{'peak MB':>9}")
    for name, runs in results.items():
        seconds = median(run.seconds for run in runs)
        cpu = median(run.cpu_seconds for run in runs)
        memory = median(run.megabytes for run in runs)
        print(f"{name:<14}{seconds:>9.1f}{cpu:>9.1f}{pages / seconds:>9.2f}{memory:>9.0f}")


@contextlib.contextmanager
def website(
    pages: int,
    links: int = 0,
    sizes: tuple[int, int] = (15_000, 25_000),
    page_seconds: float = 0,
    *,
    own_texts: bool = False,
) -> Iterator[str]:
    """Serve a website with this number of pages on loopback; yield its origin.

    With ``links``, each page has that number of links to other pages, and with ``own_texts``, a
    text that no other has. ``sizes`` are the smallest and the largest number of bytes of a page,
    and ``page_seconds`` is the time until it is sent.
    """
    package = importlib.util.find_spec("pygame")
    if package is None or package.origin is None:
        sys.exit("pip install -c requirements.lock -r benchmarks/requirements.txt")
    html = Path(package.origin).parent / "docs"
    server = PROJECT / "benchmarks" / "server.py"
    command = [sys.executable, str(server), "--pages", str(pages), "--html", str(html)]
    command += ["--links", str(links), "--seconds", str(page_seconds)]
    command += ["--smallest", str(sizes[0]), "--largest", str(sizes[1])]
    command += ["--own-texts"] if own_texts else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def audit_command(origin: str, audits: Path, *words: str) -> list[str]:
    """Return the command that audits a website at full speed."""
    command = [sys.executable, "-m", "sitemapaudit", "audit", origin]
    settings = ["AUDIT_SPEED=full", f"AUDIT_DIR={audits}", "LOG_LEVEL=WARNING"]
    return [*command, *(word for value in settings for word in ("-s", value)), *words]


def report_command(*words: str | Path) -> list[str]:
    """Return the command that builds the tables and the report from ledgers."""
    return [sys.executable, "-m", "scrapy", "report", *map(str, words)]


def run_folder(folder: Path) -> Path:
    """Return the only run folder at or below a folder."""
    [manifest] = folder.rglob("run.json")
    return manifest.parent
