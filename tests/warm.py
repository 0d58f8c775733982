"""Runs commands in processes of their own that do not import everything again.

Imports are half the work of a small audit. One process imports everything, and forks another for
each command, with its own arguments, environment and output.
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

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.preloaded"])
"""Starts prepared processes."""


def run(
    module: str,
    words: Sequence[str],
    environment: dict[str, str],
    timeout: float,
    cwd: Path | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run ``python -m module`` with these words; ``timeout`` is in seconds.

    Raises TimeoutExpired.
    """
    with tempfile.TemporaryDirectory() as folder:
        output, log = Path(folder) / "output", Path(folder) / "log"
        arguments = (module, words, environment, cwd, output, log)
        process = FORKS.Process(target=run_module, args=arguments)
        process.start()
        process.join(timeout)
        status = process.exitcode
        if status is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, timeout)
        process.close()
        return subprocess.CompletedProcess(words, status, output.read_text(), log.read_text())


def run_module(
    module: str,
    words: Sequence[str],
    environment: dict[str, str],
    cwd: Path | None,
    output: Path,
    log: Path,
) -> None:
    """Run a command in the forked process."""
    for file, number in ((output, 1), (log, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    if cwd:
        os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [module, *words]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()
