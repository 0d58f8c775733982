"""The tests of the runner, in a new process: other tests leave objects that it would look at."""

import subprocess
import sys
from pathlib import Path

from tests.support.commands import TIMEOUT
from tests.support.paths import PROJECT

CASES = Path(__file__).with_name("cases.py")


def test_the_runner_judges_mutants(tmp_path: Path) -> None:
    options = ("-q", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'pytest'}")
    words = [sys.executable, "-m", "pytest", *options, str(CASES)]
    done = subprocess.run(
        words, check=False, cwd=PROJECT, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert done.returncode == 0, done.stdout
