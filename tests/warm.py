"""Commands of the project, each in a process of its own that need not import everything anew.

Imports are half the work of a small audit. One process makes them, and forks another for each
command, which goes on as a new one would: with its own arguments, environment, and output.
"""

import atexit
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.preloaded"])


def run(
    words: Sequence[str], environment: dict[str, str], patience: float
) -> "subprocess.CompletedProcess[str]":
    """Run ``scrapy`` with these words; raises TimeoutExpired after so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        output, log = Path(folder) / "output", Path(folder) / "log"
        process = _FORKS.Process(target=_become, args=(words, environment, output, log))
        process.start()
        process.join(patience)
        status = process.exitcode
        if status is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, patience)
        process.close()
        return subprocess.CompletedProcess(words, status, output.read_text(), log.read_text())


def _become(words: Sequence[str], environment: dict[str, str], output: Path, log: Path) -> None:
    """Turn a forked process into that of a command."""
    for file, number in ((output, 1), (log, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["scrapy", *words]
    try:
        runpy.run_module("scrapy", run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()
