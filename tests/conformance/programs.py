"""The programs of the table: how their adapters start, and what they answer."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Final

import msgspec

from tests.builds.oracles.tools import Tools
from tests.conformance.cases import HERE, Case, Facts
from tests.conformance.facts import differences
from tests.conformance.server import HOST, serve

STARTING: Final = 60
"""Seconds in which an adapter must introduce its program."""

ANSWERING: Final = 30
"""Seconds in which a program must answer a case."""


def _python(module: str) -> list[str]:
    return [sys.executable, "-m", f"tests.conformance.adapters.{module}"]


ADAPTERS: Final = {
    "sitemapaudit": _python("sitemapaudit_readers"),
    "ultimate-sitemap-parser": _python("ultimate_sitemap_parser"),
    "advertools": _python("advertools_frames"),
    "scrapy": _python("scrapy_spider"),
    "trafilatura": _python("trafilatura_search"),
    "sitemap-verify": _python("sitemap_verify_report"),
    "sitemapper": ["node", str(HERE / "adapters" / "sitemapper.mjs"), "{npm}"],
}
"""The command of each adapter; ``{npm}`` is the folder of npm's packages, with one of this name."""


class NotInstalledError(Exception):
    """A program cannot be installed or started; the message says why."""


class Introduction(msgspec.Struct):
    """What an adapter says of its program: facts that it tells by kind, topics that it lacks.

    ``host`` is the name that it gives to the server of a case, and resolves itself.
    """

    name: str
    version: str
    tells: dict[str, list[str]]
    without: list[str] = []
    host: str = HOST


class Adapter:
    """A process that answers cases; it is started again after a crash or a timeout.

    ``answering`` is the number of seconds in which it must answer one.
    """

    def __init__(self, command: Sequence[str], answering: float = ANSWERING) -> None:
        self._command = command
        self._answering = answering
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()
        self.introduction = self._start()

    def ask(self, case: Case, site: str) -> Facts:
        """Return what the program found; raises TimeoutError or ChildProcessError."""
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        question = {"kind": case.kind, "start": site + case.start}
        try:
            self._process.stdin.write(f"{json.dumps(question)}\n")
            self._process.stdin.flush()
            return msgspec.json.decode(self._next_line(self._answering), type=Facts)
        except (OSError, msgspec.DecodeError):
            self.stop()
            raise

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _start(self) -> Introduction:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._process, self._lines = process, Queue()
        Thread(target=self._read_lines, args=(process, self._lines), daemon=True).start()
        try:
            return msgspec.json.decode(self._next_line(STARTING), type=Introduction)
        except (OSError, msgspec.DecodeError):
            self.stop()
            raise

    @staticmethod
    def _read_lines(process: subprocess.Popen[str], lines: Queue[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put("")

    def _next_line(self, seconds: float) -> str:
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise TimeoutError(f"no answer within {seconds:g} s") from None
        if not line:
            raise ChildProcessError("the process ended")
        return line


class Outcome(msgspec.Struct):
    """The outcome of a case: passed, failed and why, or neither because it does not apply."""

    case: Case
    passed: bool | None
    reason: str = ""


def start(name: str, npm: Path) -> Adapter:
    """Install a program if need be, and start its adapter; raises NotInstalledError."""
    command = [word.replace("{npm}", str(npm)) for word in ADAPTERS[name]]
    try:
        if command != ADAPTERS[name]:
            npm.mkdir(parents=True, exist_ok=True)
            Tools(npm).npm(name)
        return Adapter(command)
    except (OSError, subprocess.CalledProcessError, msgspec.DecodeError) as error:
        raise NotInstalledError(f"{name}: {error}") from error


def judge(adapter: Adapter, case: Case) -> Outcome:
    """Give a case to a program, and compare what it found."""
    told = adapter.introduction.tells.get(case.kind, [])
    if not told or not {case.topic, *case.needs}.isdisjoint(adapter.introduction.without):
        return Outcome(case, None, "not a subject of the program")
    with serve(case, adapter.introduction.host) as site:
        acceptable = case.acceptable(site)
        if all(differences(each, {}, told) is None for each in acceptable):
            return Outcome(case, None, "none of these facts is told")
        try:
            found = adapter.ask(case, site)
        except (OSError, msgspec.DecodeError) as error:
            return Outcome(case, passed=False, reason=str(error))
    if "not_applicable" in found:
        return Outcome(case, None, found["not_applicable"])
    results = [differences(each, found, told) for each in acceptable]
    if [] in results:
        return Outcome(case, passed=True)
    stated = f" ({found['error']})" if "error" in found else ""
    reasons = (", ".join(result) for result in results if result)
    return Outcome(case, passed=False, reason="; or ".join(reasons) + stated)
