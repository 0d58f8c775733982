"""A cluster of Dask: a scheduler and workers, each a process that can be killed or stopped."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from tests.plugins.interpreters.commands import own_environment
from tests.support.paths import PROJECT

TTL = "3s"
"""The time after which the scheduler gives up a worker that says nothing."""


class Cluster:
    """A context manager that runs the processes, and ends them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ending = ExitStack()
        self._scheduler: subprocess.Popen[bytes] | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._environment = {
            **own_environment(),
            "PYTHONPATH": str(PROJECT),
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": TTL,
        }

    def __enter__(self) -> Self:
        self.start_scheduler()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def start_scheduler(self) -> None:
        """Start the scheduler, again at the same address if it was killed."""
        words = ("--host", "127.0.0.1", "--port", str(self._port), "--no-dashboard")
        self._scheduler = self._start("dask_scheduler", *words)

    def restart_scheduler(self) -> None:
        """Kill the scheduler, which forgets its tasks, and start another one."""
        assert self._scheduler is not None
        self._scheduler.kill()
        self._scheduler.wait()
        self.start_scheduler()

    def start_worker(self, name: str) -> "subprocess.Popen[bytes]":
        """Start a worker with one thread."""
        words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", name)
        return self._start("dask_worker", self.address, *words, "--host", "127.0.0.1")

    def _start(self, program: str, *words: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words]
        log = self._ending.enter_context((self._folder / f"{program}.log").open("ab"))
        process = subprocess.Popen(
            command, cwd=self._folder, env=self._environment, stdout=log, stderr=log
        )
        self._ending.callback(_end, process)
        return process


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        os.kill(process.pid, signal.SIGCONT)
        process.kill()
    process.wait()
