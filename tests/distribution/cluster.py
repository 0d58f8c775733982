"""A cluster of Dask: a scheduler and workers, each a process that can be killed or stopped."""

import signal
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from tests.plugins.interpreters.commands import Command, own_environment
from tests.support.commands import TIMEOUT

_SETTINGS = {"distributed.scheduler.worker-ttl": "1s"}
"""A worker that says nothing is given up after ten of its heartbeats, which is five seconds."""


class Cluster:
    """A context manager that runs the processes, and ends them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ending = ExitStack()
        self._scheduler: Command | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"

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
        self._scheduler.signal(signal.SIGKILL)
        self._scheduler.wait(TIMEOUT)
        self.start_scheduler()

    def start_worker(self, name: str) -> Command:
        """Start a worker that has one address for its tasks."""
        words = ("--nthreads", "2", "--no-nanny", "--no-dashboard", "--resources", "egress=1")
        return self._start(
            "dask_worker", self.address, *words, "--name", name, "--host", "127.0.0.1"
        )

    def _start(self, program: str, *words: str) -> Command:
        process = Command(
            words,
            module=f"distributed.cli.{program}",
            environment=own_environment(),
            prepare=_configure,
            cwd=self._folder,
        )
        self._ending.callback(process.kill)
        return process


def _configure() -> None:
    import dask.config  # noqa: PLC0415 - only this process needs it

    dask.config.set(_SETTINGS)
