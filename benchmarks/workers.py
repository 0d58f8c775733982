"""Compares an audit in one process with one that has several workers.

``python benchmarks/workers.py --pages 100000 --workers 2 --rounds 3``

The server of the benchmark needs a processor too: about a twentieth of what the audit needs. If
there are as many workers as processors, it takes that from them, and from one process nothing.

From the processor time of the main process and of the workers follows how many pages per second
more workers would fetch: the main process gives each page to a worker and writes its row, and is
the limit once it is always busy.

The start of the workers is measured with a website that takes so long for its pages that they all
start. They are forks of one process; that is compared with a new interpreter for each.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median
from unittest.mock import patch

from measuring import Measured, audit_command, measure, record, website


def audit(pages: int, workers: int) -> Measured:
    """Return the cost of an audit."""
    with website(pages) as origin:
        done = audit_at(origin, workers)
    assert f"{pages:,} listed URLs" in done.output, done.output
    return done


def audit_at(origin: str, workers: int) -> Measured:
    """Return the cost of an audit of a website."""
    with tempfile.TemporaryDirectory() as folder:
        return measure(audit_command(origin, Path(folder), "--workers", str(workers)))


THREAD = (
    "import threading, time; threading.Thread(target=time.sleep, args=(99,), daemon=True).start()"
)
"""Python runs this in each interpreter: a process with a thread is not forked."""


def start_cost(origin: str, workers: int) -> float:
    """Return the CPU seconds that an audit takes more with workers."""
    one, several = (audit_at(origin, count).cpu_seconds for count in (1, workers))
    return several - one


def measure_start(workers: int, rounds: int) -> None:
    """Print the CPU time for starting the workers, and against as many new interpreters."""
    forks, interpreters = [], []
    with website(200, page_seconds=1) as origin, tempfile.TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(THREAD, encoding="utf-8")
        for _ in range(rounds):
            forks.append(start_cost(origin, workers))
            with patch.dict(os.environ, PYTHONPATH=folder):
                interpreters.append(start_cost(origin, workers))
    record(f"start of {workers} workers, CPU", f"{median(forks):.2f} s")
    what = f"start of {workers} workers, CPU against new interpreters"
    record(what, f"{median(forks) / median(interpreters):.0%}", "50%")


def main() -> None:
    """Measure both alternately; print the median of their ratios, and a prediction."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    pages, workers = options.pages, options.workers
    measure_start(workers, options.rounds)
    few = pages // 3
    ratios = []
    for _ in range(options.rounds):
        one, several = audit(pages, 1), audit(pages, workers)
        ratios.append(one.seconds / several.seconds)
        print(f"{pages:,} pages: {one.seconds:.1f} s, and {several.seconds:.1f} s with workers")
    record(f"seconds, against {workers} workers", f"{median(ratios):.2f} times", "1.7 times")
    start = audit(few, workers)
    more = pages - few
    main_cost = (several.main_cpu_seconds - start.main_cpu_seconds) / more
    worker_cost = (several.cpu_seconds - start.cpu_seconds) / more - main_cost
    record("one more page, CPU of the main process", f"{main_cost * 1e6:.0f} µs")
    record("one more page, CPU of its worker", f"{worker_cost * 1e6:.0f} µs")
    record("peak memory with workers", f"{several.megabytes:.0f} MB")
    record("memory of a worker", f"{several.children_megabytes / workers:.0f} MB", "41 MB")
    for number in (4, 8, 16):
        # A processor for each worker, and one for the main process.
        rate = min(1 / main_cost, number / worker_cost)
        record(f"predicted pages per second with {number} workers", f"{rate:,.0f}")


if __name__ == "__main__":
    main()
