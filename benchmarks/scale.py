"""Measures the cost of an audit per listed URL, from ten thousand to ten million URLs.

``python benchmarks/scale.py``   (up to an hour, and 15 GB in the folder for temporary files)
``python benchmarks/scale.py 10000 100000 --fetched 3000 --sharded 100000``
``python benchmarks/scale.py 10000000 --fetched --sharded 0``   (measures one size again)

The arguments are the numbers of URLs for three kinds of audits: reading sitemaps (``pages=none``),
fetching pages (``pages=all``), and four shards that are merged (their ledgers are written by
``merging.py``). ``scrapy report`` rebuilds each
run. The results go to scale.json, where they replace earlier ones of the same size, and from there
to scale.md and scale.svg.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from time import time
from urllib.request import urlopen

import psutil
from measuring import (
    Measured,
    audit_command,
    measure,
    report_command,
    run_folder,
    website,
)
from merging import Model
from scale_data import KINDS, PHASES, Audited, Phase, Process, Scale, Sharded, put, size, today
from scale_page import write_page
from server import PER_SITEMAP

SIZES = [10_000, 100_000, 1_000_000, 10_000_000]
FETCHED = [3_000, 30_000]
SHARDED, SHARDS = 1_000_000, 4

_INTERVAL = 0.5
_FILES = 20


class _SpillSampler:
    """Measures the size of the scratch folders below a folder, twice per second."""

    def __init__(self, folder: Path) -> None:
        self.peak = 0
        self._folder = folder
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._stopped.wait(_INTERVAL):
            self.peak = max(self.peak, size(self._folder.glob("**/scratch/*")))


def run(command: list[str], folder: Path) -> Process:
    """Measure a command that writes a run folder at or below ``folder``."""
    started = time()
    spill = _SpillSampler(folder)
    try:
        measured = measure(command)
    finally:
        spill.stop()
    phases = dict(_phases(measured, run_folder(folder), started))
    return Process(
        round(measured.seconds, 1),
        round(measured.cpu_seconds, 1),
        round(measured.megabytes),
        spill.peak,
        phases,
    )


def _phases(measured: Measured, folder: Path, started: float) -> Iterator[tuple[str, Phase]]:
    """Yield the phases in which the process wrote files; the last file marks the end."""
    ends = {
        name: max(file.stat().st_mtime for file in folder.glob(pattern))
        for name, pattern in PHASES.items()
    }
    written = {name: end for name, end in ends.items() if end > started}
    samples = list(zip(measured.sample_times, measured.memory_samples, strict=True))
    for name, (start, end) in zip(written, pairwise([started, *written.values()]), strict=True):
        memory = (megabytes for moment, megabytes in samples if start <= moment < end)
        yield name, Phase(round(end - start, 1), round(max(memory, default=0)))


def audit(origin: str, urls: int, audits: Path, *words: str) -> Audited:
    """Audit a website with this number of URLs, and rebuild the run."""
    load = round(os.getloadavg()[0], 1)
    print(f"{urls:,} URLs, {' '.join(words)}: ", end="", flush=True)
    audited = run(audit_command(origin, audits, *words), audits)
    rebuilt = run(report_command(run_folder(audits)), audits)
    disk = {kind: size(run_folder(audits).glob(files)) for kind, files in KINDS.items()}
    print(f"{audited.seconds:,.0f} s, {audited.megabytes:,.0f} MB", flush=True)
    return Audited(urls, audited, rebuilt, disk, load, today())


def measure_server(origin: str) -> float:
    """Return the CPU time of the server per URL of a sitemap, in microseconds."""
    [server] = psutil.Process().children()
    before = server.cpu_times()
    for _ in range(_FILES):
        with urlopen(f"{origin}/sitemap-0.xml") as response:
            response.read()
    after = server.cpu_times()
    seconds = after.user + after.system - before.user - before.system
    return round(seconds / _FILES / PER_SITEMAP * 1e6, 2)


def measure_shards(urls: int) -> Sharded:
    """Merge shards with these URLs in all, and rebuild the merged run."""
    with _site(urls) as (origin, folder):
        runs = Model(origin, folder).write_shards(folder / "shards", SHARDS)
        into = folder / "merged"
        merging = run(report_command(*runs, "--into", into), into)
        rebuilt = run(report_command(into), into)
        print(f"merged: {merging.seconds:,.0f} s, {merging.megabytes:,.0f} MB", flush=True)
        return Sharded(SHARDS, urls, merging, rebuilt, today())


@contextmanager
def _site(urls: int) -> Iterator[tuple[str, Path]]:
    with website(urls) as origin, tempfile.TemporaryDirectory() as folder:
        yield origin, Path(folder)


def main() -> None:
    """Take the measurements, and save the results after each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--fetched", type=int, nargs="*", default=FETCHED)
    parser.add_argument("--sharded", type=int, default=SHARDED)
    options = parser.parse_args()
    scale = Scale.load()
    with website(PER_SITEMAP) as origin:
        scale.serving = measure_server(origin)
    jobs = [(each, "none", scale.read) for each in options.sizes]
    jobs += [(each, "all", scale.fetched) for each in options.fetched]
    for urls, pages, rows in jobs:
        with _site(urls) as (origin, folder):
            put(audit(origin, urls, folder, "--pages", pages), rows)
        scale.save()
    if options.sharded:
        scale.sharded = measure_shards(options.sharded)
        scale.save()
    write_page(scale)


if __name__ == "__main__":
    main()
