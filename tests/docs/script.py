"""Runs a Python file of the working folder, as ``python FILE`` does."""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    runpy.run_path(sys.argv[1], run_name="__main__")
