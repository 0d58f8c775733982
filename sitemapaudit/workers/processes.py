"""The child processes of a pool, and the process that starts them."""

import asyncio
import logging
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Self

from sitemapaudit.workers.connection import open_pipes
from sitemapaudit.workers.process import PATIENCE, ChildProcess
from sitemapaudit.workers.starting import ENDED, FAILED, STARTED, Pipes

logger = logging.getLogger(__name__)


class ChildProcesses:
    """Processes with the same program and job, and the process that starts and waits for them.

    If that one ends too early, they are killed: this process would not learn when they end.
    """

    def __init__(self, starter: Process, pipes: Sequence[Pipes]) -> None:
        self._starter = starter
        self._unused = list(pipes)
        self._running: dict[int, ChildProcess] = {}

    @classmethod
    async def start(cls, program: str, count: int) -> Self:
        """Start a program of this package ``count`` times. Raises OSError."""
        ours, theirs = [], []
        for _ in range(count):
            (orders, our_orders), (our_answers, answers) = os.pipe(), os.pipe()
            ours.append(Pipes(our_orders, our_answers))
            theirs.append(Pipes(orders, answers))
        try:
            starter = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", str(__package__), program, *map(str, theirs)),
                stdin=DEVNULL,
                stdout=PIPE,
                pass_fds=[end for pipes in theirs for end in (pipes.orders, pipes.answers)],
                # The user's project, or an egg of Scrapyd.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
            )
        except BaseException:
            _close(ours)
            raise
        finally:
            _close(theirs)
        return cls(starter, ours)

    async def started(self, job: bytes, buffer: int) -> AsyncIterator[ChildProcess]:
        """Send each process its job, and yield it; go on until all have ended.

        About twice ``buffer`` bytes of the answers of each can wait here.
        """
        assert self._starter.stdout is not None
        try:
            async for line in self._starter.stdout:
                kind, _, text = line.strip().partition(b" ")
                if kind == STARTED:
                    pipes = self._unused.pop(0)
                    answers, orders = await open_pipes(pipes.answers, pipes.orders, buffer)
                    orders.write(job)
                    process = self._running[int(text)] = ChildProcess(int(text), orders, answers)
                    yield process
                elif kind == ENDED:
                    pid, status = map(int, text.split())
                    self._running.pop(pid).note_end(status)
                elif kind == FAILED:
                    _close([self._unused.pop(0)])
                    logger.warning("A process cannot be started: %s", text.decode())
        finally:
            _close(self._unused)
            for process in self._running.values():
                process.kill()
                process.note_end(-signal.SIGKILL)

    async def end(self) -> None:
        """End all processes; kill those that take too long, or are not ready."""
        for process in self._running.values():
            process.close_input()
        if self._unused:
            self._kill()
        try:
            await asyncio.wait_for(self._starter.wait(), PATIENCE)
        except TimeoutError:
            self._kill()
            await self._starter.wait()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            self._starter.kill()


def _close(pipes: Sequence[Pipes]) -> None:
    for each in pipes:
        os.close(each.orders)
        os.close(each.answers)
