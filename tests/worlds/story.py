"""Audits of drawn websites: their arguments, and what happens to their processes."""

import os
import random
import resource
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from sitemapaudit import Run, open_run
from tests.fetching.isolated_site import can_isolate
from tests.plugins.interpreters.commands import Command
from tests.runs.killing import CONCURRENCY, start
from tests.support.commands import TIMEOUT, run_in_process
from tests.worlds.clock import SetClock
from tests.worlds.resolver import Surroundings
from tests.worlds.served import Served

COMPLETE, INCOMPLETE = 0, 3
"""Exit statuses of audits."""

_KILLED: Final = (-signal.SIGKILL, 128 + signal.SIGKILL)
_SECONDS: Final = 120
"""Seconds of processor time that a process may take."""

_READS: Final = 50
"""The times that a process reads the clock before it is set."""

_BYTES: Final = 2**32
"""The memory that a process may have."""

_PAUSE: Final = 0.3
_DAY: Final = 86_400


@dataclass(frozen=True)
class Stop:
    """What happens to an audit at the request with the number ``at``.

    kill, interrupt and terminate are signals. worker: one of its workers is killed. pause: the
    processes are stopped for a moment. disk: no file can become longer.
    """

    at: int
    means: str


@dataclass(frozen=True)
class Story:
    """The audits of some websites: their arguments, and the stop of each process.

    With ``is_reused`` the websites change, and another audit reuses the first. In each process the
    clock is set by ``clock`` seconds. If they are ``named``, a resolver finds their addresses.
    """

    pages: str = "all"
    links: str = "none"
    workers: int = 1
    shards: int = 1
    stops: tuple[Stop, ...] = ()
    is_reused: bool = False
    staging: bool = False
    clock: int = 0
    named: bool = False

    @classmethod
    def draw(cls, dice: random.Random, size: int) -> "Story":
        """Return a story for websites that list about ``size`` pages."""
        shards = dice.choice([1, 1, 1, 1, 2])
        pages = dice.choice(["all", "all", "all", "none", str(dice.randint(1, size))])
        links = ["none"] if pages == "none" else ["none", "record"]
        if pages == "all" and shards == 1:
            links.append("crawl")
        chosen = dice.choice(links)
        staging = dice.random() < 0.25
        means = ["kill", "kill", "interrupt", "terminate", "worker", "pause", "disk"]
        number = dice.choice([0, 0, 1, 1, 2])
        return cls(
            pages=pages,
            links=chosen,
            workers=dice.choice([1, 1, 1, 2]) if shards == 1 else 1,
            shards=shards,
            stops=tuple(Stop(dice.randint(1, size), dice.choice(means)) for _ in range(number)),
            is_reused=shards == 1 and chosen == "none" and dice.random() < 0.5,
            staging=staging,
            clock=dice.choice([0, 0, 0, -3 * _DAY, -600, 600, 400 * _DAY]),
            named=dice.random() < 0.3 and not staging and can_isolate(),
        )

    @property
    def arguments(self) -> list[str]:
        return [f"pages={self.pages}", f"links={self.links}", f"workers={self.workers}"]

    @property
    def ends(self) -> bool:
        """Whether a process of the audit is stopped for good."""
        return any(stop.means != "pause" for stop in self.stops)

    @property
    def may_repeat(self) -> int:
        """How many pages an audit may request again that were under way at a stop."""
        return self.shards * CONCURRENCY * sum(stop.means != "pause" for stop in self.stops)


def audit(story: Story, site: Served, folder: Path, *more: str) -> tuple[Run, int]:
    """Audit the websites as the story tells, to the end.

    Return the run, or the merged shards, and the last exit status.
    """
    if story.shards == 1:
        run, status = _one_run(story, site, folder / f"run{len(more)}", *more)
        return open_run(run), status
    runs = [
        _one_run(story, site, folder / f"{each}", f"shard={each}/{story.shards}", *more)[0]
        for each in range(1, story.shards + 1)
    ]
    done = run_in_process("report", *map(str, runs), "--dir", str(folder / "merged"))
    return open_run(folder / "merged"), done.returncode


def _one_run(story: Story, site: Served, folder: Path, *more: str) -> tuple[Path, int]:
    """Run an audit, and resume it after each stop that ends it."""
    given = [*site.argument, *story.arguments, *more]
    for stop in (*story.stops, None):
        status, was_stopped = _one_process(story, site, folder, given, stop)
        found = sorted(folder.glob("*/*/run.json"))
        if not was_stopped:
            return found[-1].parent, status
        if found:
            given = [f"resume={found[-1].parent}"]
    raise AssertionError("the last process is not stopped")


def _one_process(
    story: Story, site: Served, folder: Path, given: list[str], stop: Stop | None
) -> tuple[int, bool]:
    """Run one process of an audit; return its exit status, and whether it must be resumed."""
    audits: list[Command] = []
    stopped: list[Stop] = []
    begun = site.requests

    def interrupt(number: int) -> None:
        if audits and not stopped and stop and number - begun >= stop.at:
            stopped.append(stop)
            _interrupt(audits[0], stop.means)

    site.on_page = interrupt
    limits = {resource.RLIMIT_CPU: _SECONDS, resource.RLIMIT_DATA: _BYTES}
    clock = SetClock(story.clock, _READS) if story.clock else None
    around = Surroundings(folder / "etc", clock, site.resolver)
    audits.append(start(folder, *given, limits=limits, prepare=around, DOWNLOAD_TIMEOUT=3))
    status = audits[0].wait(TIMEOUT)
    site.on_page = lambda _: None
    _wait_for_processes(audits[0])
    ended = bool(stopped) and status != COMPLETE
    if ended and stop and stop.means in ("worker", "pause"):
        ended = False
    if ended:
        assert status in (INCOMPLETE, *_KILLED), (status, audits[0].log)
    else:
        assert status in (COMPLETE, INCOMPLETE), (status, audits[0].log)
    assert "Traceback" not in audits[0].log, audits[0].log
    return status, ended


def _interrupt(audit: Command, means: str) -> None:
    group = [audit.pid, *(each.pid for each in psutil.Process(audit.pid).children(recursive=True))]
    match means:
        case "kill":
            os.killpg(audit.pid, signal.SIGKILL)
        case "worker":
            if group[2:]:
                os.kill(group[-1], signal.SIGKILL)
        case "pause":
            os.killpg(audit.pid, signal.SIGSTOP)
            time.sleep(_PAUSE)
            os.killpg(audit.pid, signal.SIGCONT)
        case "disk":
            for each in group:
                resource.prlimit(each, resource.RLIMIT_FSIZE, (1, 1))
        case _:
            audit.signal(signal.SIGINT if means == "interrupt" else signal.SIGTERM)


def _wait_for_processes(audit: Command) -> None:
    """Wait until no process of an audit is left; raises AssertionError if one stays."""
    for _ in range(1000):
        try:
            os.killpg(audit.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    raise AssertionError("a process of the audit is left")
