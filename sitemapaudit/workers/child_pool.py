"""Child processes of a run with the same job."""

import asyncio
import logging
import pickle
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from typing import Any, ClassVar

from scrapy.crawler import Crawler

from sitemapaudit.engine.private_api import is_observed
from sitemapaudit.workers.cores import schedule_as_batch
from sitemapaudit.workers.job import Job
from sitemapaudit.workers.messages import ReadingJob, frame
from sitemapaudit.workers.process import ChildProcess
from sitemapaudit.workers.processes import ChildProcesses

logger = logging.getLogger(__name__)


class ChildPool(ABC):
    """Starts ``count`` processes. If they cannot do the work, this process does."""

    program: ClassVar[str]
    """The module that a process runs."""

    work: ClassVar[str]
    """The work of the processes, for the log: it follows "2 processes"."""

    work_here: ClassVar[str]
    """The same, if this process does it alone."""

    buffer: ClassVar[int]
    """Half of the bytes of answers that can wait from each process."""

    def __init__(self, crawler: Crawler, job: Job | ReadingJob, count: int) -> None:
        self._crawler = crawler
        self._job = job
        self._count = count
        self._closing = False
        self._is_started = False
        self._processes: ChildProcesses | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def serve(self, process: ChildProcess) -> None:
        """Exchange messages with a process until it ends."""

    def start(self) -> None:
        """Start the processes, once."""
        if not self._is_started:
            self._is_started = True
            self._run(self._start())

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _start(self) -> None:
        if is_observed(self._crawler):
            logger.info("One process %s: another component needs to see each item", self.work_here)
            return
        try:
            job = frame(pickle.dumps(self._job))
        except Exception as error:  # noqa: BLE001 - whatever an object of the user's raises
            reason = "a setting cannot be copied"
            logger.warning("One process %s: %s (%s)", self.work_here, reason, error)
            return
        schedule_as_batch()
        try:
            self._processes = await ChildProcesses.start(self.program, self._count)
        except (OSError, NotImplementedError) as error:
            logger.warning("No process can be started: %s", error)
            return
        started = 0
        async for process in self._processes.started(job, self.buffer):
            self._run(self.serve(process))
            started += 1
            if started == self._count:
                logger.info("%d processes %s", started, self.work)

    async def _end_processes(self) -> None:
        if self._processes is not None:
            await self._processes.end()
