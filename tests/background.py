"""Commands of Scrapy in the background, each in a prepared process and a process group."""

import os
import resource
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize

from tests import warm
from tests.support import own_environment


class Command:
    """A command that was started: ``python -m module`` with these words.

    ``limits`` are those of its process, by number. ``prepare`` is called in it before the command,
    and may change the folder in which this runs.
    ``output`` and ``log`` are what it has written.
    """

    def __init__(
        self,
        words: Sequence[str],
        limits: Mapping[int, int] | None = None,
        prepare: Callable[[], None] | None = None,
        module: str = "scrapy",
    ) -> None:
        folder = Path(mkdtemp())
        finalize(self, shutil.rmtree, folder)
        self._files = [folder / "output", folder / "log"]
        for file in self._files:
            file.touch()
        arguments = (module, words, own_environment(), *self._files, dict(limits or {}), prepare)
        self._process = warm.Forked(_run, *arguments)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> str:
        return self._files[0].read_text(encoding="utf-8")

    @property
    def log(self) -> str:
        return self._files[1].read_text(encoding="utf-8")

    def poll(self) -> int | None:
        """Return the exit status, or None while the command runs."""
        return self._process.wait(0)

    def wait(self, seconds: float) -> int:
        """Wait for the end, and return the exit status; a command that takes longer is killed."""
        status = self._process.wait(seconds)
        if status is None:
            self.kill()
            raise TimeoutError(self.log)
        return status

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process of the command alone."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the command with all its processes."""
        self._process.kill()


def _run(
    module: str,
    words: Sequence[str],
    environment: dict[str, str],
    output: Path,
    log: Path,
    limits: Mapping[int, int],
    prepare: Callable[[], None] | None,
) -> None:
    if prepare:
        prepare()
    for number, limit in limits.items():
        resource.setrlimit(number, (limit, limit))
    warm.run_module(module, words, environment, None, output, log)
