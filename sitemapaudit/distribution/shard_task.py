"""A task of the cluster: an audit in a separate process, resumed if it was begun before.

Tasks can run more than once, and in threads of a long process. So the truth is in the run folder,
and nothing of Scrapy is imported here.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from sitemapaudit.distribution.places import LocalPlace, copy_links, find_run_at, open_place
from sitemapaudit.runs.child_audit import ChildAudit
from sitemapaudit.runs.folders import RunInUseError, is_running
from sitemapaudit.runs.manifest import Status
from sitemapaudit.runs.merging.stores import is_remote
from sitemapaudit.runs.progress_report import ProgressReport

STOP: Final = "stop"
"""The file in the folder of the audit that ends all of its tasks."""

_INTERVAL: Final = 1.0
"""Seconds between two looks at the process and at the file."""

_STORE_INTERVAL: Final = 10.0
"""The same in a store, which counts requests."""

TOPIC: Final = "sitemapaudit-progress"
"""The topic of the cluster with the progress of all tasks: the key of a task, and a line."""

_Report = Callable[[ProgressReport], None]


class Outcome(NamedTuple):
    """The end of a task: ``refusal`` says why the audit cannot run at all."""

    folder: str
    finished: bool
    refusal: str = ""


class _Stop:
    """The file that ends all tasks; ``folder`` is that of one of them."""

    def __init__(self, folder: str) -> None:
        local = Path(folder).parent.parent
        self._place = open_place(folder.rsplit("/", 2)[0] if is_remote(folder) else str(local))
        self._interval = _INTERVAL if isinstance(self._place, LocalPlace) else _STORE_INTERVAL
        self._looked, self._exists = float("-inf"), False

    def exists(self) -> bool:
        """Return whether it is there, or was there a moment ago."""
        if time.monotonic() - self._looked >= self._interval:
            with suppress(OSError):  # A store that does not respond says nothing.
                self._exists = self._place.read(STOP) is not None
            self._looked = time.monotonic()
        return self._exists


class ShardFailedError(Exception):
    """An audit ended before its end; to repeat the task resumes it."""


def run_audit(folder: str, words: Sequence[str], again: Sequence[str] = ()) -> Outcome:
    """Run the audit whose only run is in a folder, or resume it; return when it is finished.

    ``words`` are the arguments of a new run, ``again`` those with which a finished run is resumed
    once more. Raises ShardFailedError if the task should be repeated.
    """
    with TemporaryDirectory() as scratch:
        return _run_audit(folder, words, again, Path(scratch))


def _run_audit(folder: str, words: Sequence[str], again: Sequence[str], scratch: Path) -> Outcome:
    is_stored, stop = is_remote(folder), _Stop(folder)
    # What is in a store, or goes there, is copied to a folder of this machine.
    places = ("--dir", str(scratch), "--upload", folder) if is_stored else ("--dir", folder)
    if is_stored and again:
        again = [again[0], str(copy_links(again[1], scratch / "found"))]
    report = _find_clients()
    while not stop.exists():
        run = find_run_at(folder)
        if run and not is_stored and is_running(Path(run.address)):
            time.sleep(_INTERVAL)  # A task whose worker was given up has it.
            continue
        if run and not again and run.manifest.status is Status.FINISHED:
            return Outcome(folder, finished=True)
        if run:
            given = ["--resume", run.address, *_settings(words), *again, *places[:2]]
        else:
            given = [*words, *places]
        status, said = _run(["audit", *given], stop, report)
        if status == 0:
            return Outcome(folder, finished=True)
        if status == RunInUseError.exit_status:
            time.sleep(_INTERVAL)
        elif status == 2:
            return Outcome(folder, finished=False, refusal=said)
        elif not stop.exists():
            raise ShardFailedError(f"{folder} ended with status {status}: {said}")
    return Outcome(folder, finished=False)


def _settings(words: Sequence[str]) -> list[str]:
    """Return the settings in a command line: a run does not record those of Scrapy."""
    pairs = (pair for pair in pairwise(words) if pair[0] == "-s")
    return [word for pair in pairs for word in pair]


def _find_clients() -> _Report:
    """Return a function that sends the progress of this task to the clients of its cluster."""
    from distributed import get_worker  # noqa: PLC0415 - few commands need it

    try:
        worker = get_worker()
    except ValueError:  # This is not a task.
        return lambda _: None
    task = worker.get_current_task()
    return lambda report: worker.log_event(TOPIC, [task, report.text])


def _run(words: Sequence[str], stop: _Stop, report: _Report) -> tuple[int, str]:
    """Run a command as a child; return its exit status and its last words."""
    with ChildAudit(words, report) as child:
        while child.status is None:
            child.wait(_INTERVAL)
            if stop.exists():
                child.stop()
        return child.status, child.last_words()
