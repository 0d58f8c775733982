"""Programs that tests need and that `make test` installs."""

import os
import shutil
import sys
from pathlib import Path

import pytest

_UNPACKED = {"nginx": Path(sys.prefix) / "nginx" / "usr" / "sbin" / "nginx"}
"""Programs that are unpacked, and not installed."""


def find_program(name: str) -> str:
    """Return the path of a program; skip the test without it, unless this is CI."""
    unpacked = _UNPACKED.get(name)
    found = shutil.which(name) or (str(unpacked) if unpacked and unpacked.exists() else None)
    if found is None:
        if os.environ.get("CI"):
            raise FileNotFoundError(f"{name}: make test installs it")
        pytest.skip(f"{name} is not installed")
    return found
