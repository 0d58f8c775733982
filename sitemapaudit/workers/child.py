"""A worker as the main process sees it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, Self

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.workers.messages import (
    HEADER_BYTES,
    Answer,
    Order,
    content_length,
    decode_answers,
    frame_all,
)

_BUFFER: Final = 1 << 20
_PATIENCE: Final = 5.0
"""Seconds in which a worker ends by itself."""

_COMMAND: Final = ("-m", "sitemapaudit.workers")


class Child:
    """A worker process: it ends when its standard input ends, however this process ends."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.in_flight: dict[int, FetchTask] = {}
        """The tasks that it has not answered, by the number of the order."""
        self._process = process
        self._orders: list[Order] = []
        self._last = 0

    @classmethod
    async def start(cls, job: bytes) -> Self:
        """Start a worker, and send it its job as a message. Raises OSError."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *_COMMAND,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=_BUFFER,
            # A project of the user's own, or an egg of Scrapyd.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
        )
        assert process.stdin is not None
        process.stdin.write(job)
        return cls(process)

    def send(self, task: FetchTask) -> None:
        """Let the worker fetch a page."""
        self._last += 1
        self.in_flight[self._last] = task
        if not self._orders:
            asyncio.get_running_loop().call_soon(self._flush)
        self._orders.append(Order(self._last, task.url, task.role, task.via, task.steps))

    async def answers(self) -> AsyncIterator[list[Answer]]:
        """Yield answers, several at a time, until the worker ends."""
        assert self._process.stdout is not None
        read = self._process.stdout.readexactly
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                yield decode_answers(await read(content_length(await read(HEADER_BYTES))))

    def close_input(self) -> None:
        """Let the worker end."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def end(self) -> int:
        """End the worker; return its exit status, negative if a signal ended it."""
        self.close_input()
        try:
            return await asyncio.wait_for(self._process.wait(), _PATIENCE)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            return await self._process.wait()

    def _flush(self) -> None:
        assert self._process.stdin is not None
        orders, self._orders = self._orders, []
        self._process.stdin.write(frame_all(orders))
