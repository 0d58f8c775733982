"""Imports go one way, and the core knows no network and no files."""

import subprocess
import sys
from pathlib import Path

from tests.support import PROJECT


def test_imports_go_one_way() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout
