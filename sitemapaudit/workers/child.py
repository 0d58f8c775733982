"""A worker as the main process sees it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, Self

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.workers.messages import Answer, Order, decode_answers, frame_all
from sitemapaudit.workers.process import ChildProcess

_BUFFER: Final = 1 << 20
_PROGRAM: Final = "worker"


class Child:
    """A worker process, and the tasks that it has."""

    def __init__(self, process: ChildProcess) -> None:
        self.in_flight: dict[int, FetchTask] = {}
        """The tasks that it has not answered, by the number of the order."""
        self.close_input = process.close_input
        self.end = process.end
        self._process = process
        self._orders: list[Order] = []
        self._last = 0

    @classmethod
    async def start(cls, job: bytes) -> Self:
        """Start a worker, and send it its job as a message. Raises OSError."""
        return cls(await ChildProcess.start(_PROGRAM, job, _BUFFER))

    def send(self, task: FetchTask) -> None:
        """Let the worker fetch a page."""
        self._last += 1
        self.in_flight[self._last] = task
        if not self._orders:
            asyncio.get_running_loop().call_soon(self._flush)
        self._orders.append(Order(self._last, task.url, task.role, task.via, task.steps))

    async def answers(self) -> AsyncIterator[list[Answer]]:
        """Yield answers, several at a time, until the worker ends."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                yield decode_answers(await self._process.read())

    def _flush(self) -> None:
        orders, self._orders = self._orders, []
        self._process.write(frame_all(orders))
