"""Commands in processes of their own: a fork of a prepared interpreter, or a new interpreter."""

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize

from tests.plugins.interpreters.forks import Fork
from tests.plugins.interpreters.new_interpreters import NewInterpreter
from tests.plugins.interpreters.task import Task

COLD = "SITEMAPAUDIT_TESTS_COLD"
"""The environment variable that the option ``--cold`` sets for all processes of the tests."""

WAY_BACK = "SITEMAPAUDIT_TESTS_WAY_BACK"
"""The same for ``--way-back``."""

_SCRAPYS = ("-s", "DOWNLOADER=scrapy.core.downloader.Downloader")


class Command:
    """A command that was started: ``python -m module`` with these words.

    ``limits`` are those of its process, by number. ``prepare`` is called in it before the command.
    ``output`` and ``log`` are what it has written.
    """

    def __init__(
        self,
        words: Sequence[str],
        limits: Mapping[int, int] | None = None,
        prepare: Callable[[], None] | None = None,
        *,
        module: str = "scrapy",
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        folder = Path(mkdtemp())
        finalize(self, shutil.rmtree, folder)
        self._output, self._log = folder / "output", folder / "log"
        self._output.touch()
        self._log.touch()
        given = own_environment() if environment is None else environment
        if WAY_BACK in os.environ and words[0] in ("audit", "crawl"):
            words = [*words, *_SCRAPYS]
        task = Task(module, words, given, cwd, self._output, self._log, limits or {}, prepare)
        self._process = NewInterpreter(task) if COLD in os.environ else Fork(task.run)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output(self) -> str:
        return self._output.read_text(encoding="utf-8")

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def poll(self) -> int | None:
        """Return the exit status, or None while the command runs."""
        return self._process.wait(0)

    def wait(self, seconds: float) -> int:
        """Wait for the end, and return the exit status.

        Kills a command that takes longer, and raises TimeoutError.
        """
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


def run(
    module: str,
    words: Sequence[str],
    environment: Mapping[str, str],
    timeout: float,
    cwd: Path | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run ``python -m module`` with these words; ``timeout`` is in seconds.

    Raises TimeoutError.
    """
    command = Command(words, module=module, environment=environment, cwd=cwd)
    status = command.wait(timeout)
    return subprocess.CompletedProcess(words, status, command.output, command.log)


def own_environment() -> dict[str, str]:
    """Return the environment without proxies and certificates: servers of tests are on loopback.

    A new interpreter that imports aiohttp reads all certificates twice, in a tenth of a second.
    """
    proxies = {"http_proxy", "https_proxy", "no_proxy", "all_proxy"}
    own = {name: value for name, value in os.environ.items() if name.lower() not in proxies}
    return {**own, "SSL_CERT_FILE": os.devnull}
