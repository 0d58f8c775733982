"""Builds the results of a crawl, in a process that waits for it or in that of the crawl."""

import sys
import threading
from importlib import import_module
from typing import Final

from sitemapaudit.results.job import BUILDING, Results, ResultsJob, build, postpone
from sitemapaudit.results.process import ResultsProcess
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.workers.cores import count_cores

PATIENCE: Final = 1.0
"""Seconds of a crawl after which the waiting process is ended.

The process of the crawl then imports the necessary modules. Not later: imports after many rows were
read keep the memory of the rows from being released.
"""

_waiting: Final[list[ResultsProcess]] = []
"""The process that waits for the next crawl, if any."""


def start_ahead() -> None:
    """Start a process that prepares to build results, if that saves time.

    Call it as early as possible, and before the first thread.
    """
    if BUILDING in sys.modules or _waiting or count_cores() == 1:
        return
    catalog()  # Both processes need it.
    process = ResultsProcess.fork()
    if process is not None:
        _waiting.append(process)


class ResultsBuilder:
    """Builds the results of one crawl, and prepares that while the crawl waits for responses."""

    def __init__(self, *, later: bool) -> None:
        self._later = later
        self._process = _waiting.pop() if _waiting else None
        self._begun = threading.Event()
        self._preparation = threading.Thread(target=self._prepare, daemon=True)
        if later:
            self._end_process()
        else:
            self._preparation.start()

    def build(self, job: ResultsJob) -> Results:
        """Build the results of a run, unless something else builds them later."""
        if self._later:
            return postpone(job)
        self._begun.set()
        self._preparation.join()
        results = self._process.build(job) if self._process else None
        self._end_process()
        return results or build(job)

    def _prepare(self) -> None:
        if self._process is not None and self._begun.wait(PATIENCE):
            return
        self._end_process()
        import_module(BUILDING)

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None
