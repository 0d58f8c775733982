"""Fuzz the readers, one after the other: ``python -m tests.fuzzing.run SECONDS [READER …]``.

What breaks a promise becomes a case of the corpus, and is told; what leads into
new branches is kept in build/fuzzing, where the next search goes on.
"""

import re
import subprocess
import sys

from tests.fuzzing.readers import NAMES
from tests.support import PROJECT


def main(seconds: str = "", *names: str) -> None:
    """Search in each reader for so many seconds; the exit status is 1 if one breaks a promise."""
    if set(names) - set(NAMES) or not re.fullmatch(r"[1-9][0-9]*", seconds):
        print(f"python -m tests.fuzzing.run SECONDS [{' | '.join(NAMES)}] …", file=sys.stderr)
        sys.exit(2)
    broken = [name for name in names or NAMES if not _holds(name, seconds)]
    if broken:
        sys.exit(f"Promises are broken, see tests/fuzzing/corpus: {', '.join(broken)}")


def _holds(name: str, seconds: str) -> bool:
    """Search in one reader, and say in a line how much was tried; all of it, if that failed."""
    command = [sys.executable, "-m", "tests.fuzzing.search", name, seconds]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    told = dict(re.findall(r"^stat::(\w+): +(\d+)", done.stderr, re.MULTILINE))
    if done.returncode or "number_of_executed_units" not in told:
        print(done.stdout, done.stderr, sep="", file=sys.stderr)
        return False
    tried, kept = int(told["number_of_executed_units"]), int(told["new_units_added"])
    print(f"{name:12}{tried:>12,} tried {kept:>7,} new", flush=True)
    return True


if __name__ == "__main__":
    main(*sys.argv[1:])
