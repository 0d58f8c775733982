"""What an audit costs for each listed URL, from ten thousand URLs to ten million.

``python benchmarks/scale.py``   (an hour or less, and 15 GB in the folder for temporary files)
``python benchmarks/scale.py 10000 100000 --fetched 3000 --sharded 100000``
``python benchmarks/scale.py 10000000 --fetched --sharded 0``   (one size, measured again)

Reads sitemaps of so many URLs (``pages=none``), fetches so many pages (``pages=all``), reads as
one of four shards, and merges the four; ``scrapy report`` builds each run again. The figures go to
scale.json beside this file, in place of earlier ones of the same size, and from there into
scale.md and scale.svg.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from time import time
from urllib.request import urlopen

import psutil
from measuring import Measured, audit_command, measure, website
from scale_data import KINDS, PHASES, Audited, Phase, Process, Scale, Sharded, put, size, today
from scale_page import write_page
from server import PER_SITEMAP

SIZES = [10_000, 100_000, 1_000_000, 10_000_000]
FETCHED = [3_000, 30_000]
SHARDED, SHARDS = 1_000_000, 4

_INTERVAL = 0.5
_FILES = 20


class _Spill:
    """Looks twice a second at what lies in the scratch folders below a folder."""

    def __init__(self, folder: Path) -> None:
        self.most = 0
        self._folder = folder
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(_INTERVAL):
            self.most = max(self.most, size(self._folder.glob("**/scratch/*")))


def run(command: list[str], folder: Path) -> Process:
    """Run a command that fills a run folder at or below this one."""
    begun = time()
    spill = _Spill(folder)
    try:
        measured = measure(command)
    finally:
        spill.stop()
    phases = dict(_phases(measured, run_folder(folder), begun))
    return Process(
        round(measured.seconds, 1),
        round(measured.processor_seconds, 1),
        round(measured.megabytes),
        spill.most,
        phases,
    )


def _phases(measured: Measured, folder: Path, begun: float) -> Iterator[tuple[str, Phase]]:
    """Yield the phases in which the process wrote something: the last file tells its end."""
    ends = {
        name: max(file.stat().st_mtime for file in folder.glob(pattern))
        for name, pattern in PHASES.items()
    }
    own = {name: end for name, end in ends.items() if end > begun}
    looks = list(zip(measured.moments, measured.course, strict=True))
    for name, (start, end) in zip(own, pairwise([begun, *own.values()]), strict=True):
        memory = (megabytes for moment, megabytes in looks if start <= moment < end)
        yield name, Phase(round(end - start, 1), round(max(memory, default=0)))


def run_folder(folder: Path) -> Path:
    """Return the only run folder at or below a folder."""
    [manifest] = folder.rglob("run.json")
    return manifest.parent


def audit(origin: str, urls: int, audits: Path, *words: str) -> Audited:
    """Audit a website of so many URLs, and build the run again."""
    load = round(os.getloadavg()[0], 1)
    print(f"{urls:,} URLs, {' '.join(words)}: ", end="", flush=True)
    crawled = run(audit_command(origin, audits, *words), audits)
    again = run(report_command(run_folder(audits)), audits)
    disk = {kind: size(run_folder(audits).glob(files)) for kind, files in KINDS.items()}
    print(f"{crawled.seconds:,.0f} s, {crawled.megabytes:,.0f} MB", flush=True)
    return Audited(urls, crawled, again, disk, load, today())


def report_command(*words: str | Path) -> list[str]:
    """Return the command that builds tables and report from ledgers."""
    return [sys.executable, "-m", "scrapy", "report", *map(str, words)]


def serving(origin: str) -> float:
    """Return the microseconds of a processor that the server takes for each URL of a sitemap."""
    [server] = psutil.Process().children()
    before = server.cpu_times()
    for _ in range(_FILES):
        with urlopen(f"{origin}/sitemap-0.xml") as answer:
            answer.read()
    after = server.cpu_times()
    worked = after.user + after.system - before.user - before.system
    return round(worked / _FILES / PER_SITEMAP * 1e6, 2)


def share(urls: int) -> Sharded:
    """Read all URLs in each of the shards, and merge these; only the first is built again."""
    with _site(urls) as (origin, folder):
        places = [folder / str(number) for number in range(1, SHARDS + 1)]
        words = [("-a", "pages=none", "-a", f"shard={place.name}/{SHARDS}") for place in places]
        first = audit(origin, urls, places[0], *words[0])
        for place, each in list(zip(places, words, strict=True))[1:]:
            measure(audit_command(origin, place, *each))
        into = folder / "merged"
        merging = run(report_command(*map(run_folder, places), "--into", into), into)
        print(f"merged: {merging.seconds:,.0f} s, {merging.megabytes:,.0f} MB", flush=True)
    return Sharded(SHARDS, first, merging)


@contextmanager
def _site(urls: int) -> Iterator[tuple[str, Path]]:
    with website(urls) as origin, tempfile.TemporaryDirectory() as folder:
        yield origin, Path(folder)


def main() -> None:
    """Measure what is asked for, and write everything down after each step."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--fetched", type=int, nargs="*", default=FETCHED)
    parser.add_argument("--sharded", type=int, default=SHARDED)
    options = parser.parse_args()
    scale = Scale.load()
    with website(PER_SITEMAP) as origin:
        scale.serving = serving(origin)
    jobs = [(each, "none", scale.read) for each in options.sizes]
    jobs += [(each, "all", scale.fetched) for each in options.fetched]
    for urls, pages, rows in jobs:
        with _site(urls) as (origin, folder):
            put(audit(origin, urls, folder, "-a", f"pages={pages}"), rows)
        scale.save()
    if options.sharded:
        scale.sharded = share(options.sharded)
        scale.save()
    write_page(scale)


if __name__ == "__main__":
    main()
