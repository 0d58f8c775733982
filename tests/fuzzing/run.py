"""Fuzzes the readers one by one: ``python -m tests.fuzzing.run SECONDS [READER …]``.

Input that fails a check is reported and added to the corpus. Input that reaches new branches is
kept in build/fuzzing, where the next search continues.
"""

import re
import subprocess
import sys

from tests.fuzzing.readers import NAMES
from tests.support.paths import PROJECT


def main(seconds: str = "", *names: str) -> None:
    """Fuzz each reader for this many seconds; the exit status is 1 if a check fails."""
    if set(names) - set(NAMES) or not re.fullmatch(r"[1-9][0-9]*", seconds):
        print(f"python -m tests.fuzzing.run SECONDS [{' | '.join(NAMES)}] …", file=sys.stderr)
        sys.exit(2)
    failed = [name for name in names or NAMES if not _search(name, seconds)]
    if failed:
        sys.exit(f"Checks failed, see tests/fuzzing/corpus: {', '.join(failed)}")


def _search(name: str, seconds: str) -> bool:
    """Fuzz one reader and print a line of statistics; after a failure, print all output."""
    command = [sys.executable, "-m", "tests.fuzzing.search", name, seconds]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    stats = dict(re.findall(r"^stat::(\w+): +(\d+)", done.stderr, re.MULTILINE))
    if done.returncode or "number_of_executed_units" not in stats:
        print(done.stdout, done.stderr, sep="", file=sys.stderr)
        return False
    tried, kept = int(stats["number_of_executed_units"]), int(stats["new_units_added"])
    print(f"{name:12}{tried:>12,} tried {kept:>7,} new", flush=True)
    return True


if __name__ == "__main__":
    main(*sys.argv[1:])
