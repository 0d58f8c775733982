"""Runs the benchmarks and appends their results to history.md.

``make bench``, or ``python benchmarks/all.py page_cost small_site`` for some of them.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from measuring import PROJECT, RESULTS

FOLDER = PROJECT / "benchmarks"
HISTORY = FOLDER / "history.md"
BENCHMARKS = (
    "page_cost",
    "workers",
    "small_site",
    "many_sites",
    "entry_cost",
    "audit_against_advertools",
    "rendering",
    "links",
    "link_graph",
    "reuse",
)
HEAD = """# What the benchmarks showed

One row per result, the newest last. Both sides of a ratio were measured in one run; figures of
different machines compare by their ratios only.

| date | commit | machine | result | value | goal |
| --- | --- | --- | --- | --- | --- |
"""


def run(name: str) -> list[dict[str, str]]:
    """Run a benchmark, which prints to standard output, and return its results."""
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "results.jsonl"
        command = [sys.executable, str(FOLDER / f"{name}.py")]
        subprocess.run(command, check=True, env={**os.environ, RESULTS: str(results)})
        return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]


def commit() -> str:
    """Return the commit that is checked out."""
    command = ["git", "describe", "--always", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, check=False)
    return done.stdout.strip() or "unknown"


def main() -> None:
    """Run the benchmarks that the command line names, or all of them."""
    if not HISTORY.exists():
        HISTORY.write_text(HEAD, encoding="utf-8")
    date = datetime.now(UTC).date().isoformat()
    python = f"Python {platform.python_version()}"
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {python}"
    measured = commit()  # Before the history changes.
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"\n{name}:", flush=True)
        for result in run(name):
            cells = (date, measured, machine, result["what"], result["value"], result["goal"])
            with HISTORY.open("a", encoding="utf-8") as history:
                history.write(f"| {' | '.join(cells)} |\n")


if __name__ == "__main__":
    main()
