"""A child process that receives messages through one pipe, and answers through another."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Final

from sitemapaudit.workers.messages import (
    HEADER_BYTES,
    Answer,
    FileToRead,
    Order,
    content_length,
    decode_answers,
    frame_all,
)

PATIENCE: Final = 5.0
"""Seconds that a child process has to end by itself."""


class ChildProcess:
    """A process that ends when its orders do, and so with this process."""

    def __init__(
        self, pid: int, orders: asyncio.WriteTransport, answers: asyncio.StreamReader
    ) -> None:
        self._pid = pid
        self._orders = orders
        self._answers = answers
        self._status: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def send(self, tasks: Sequence[Order] | Sequence[FileToRead]) -> None:
        """Send tasks of one kind."""
        self._orders.write(frame_all(tasks))

    async def answers(self) -> AsyncIterator[list[Answer]]:
        """Yield answers, several at a time, until the process ends."""
        read = self._answers.readexactly
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                yield decode_answers(await read(content_length(await read(HEADER_BYTES))))

    def close_input(self) -> None:
        """Let the process end."""
        self._orders.close()

    def kill(self) -> None:
        """Kill the process."""
        if not self._status.done():
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def note_end(self, status: int) -> None:
        """Note that the process has ended."""
        if not self._status.done():
            self._status.set_result(status)

    async def end(self) -> int:
        """End the process; return its exit status, negative if a signal ended it."""
        self.close_input()
        await asyncio.wait([self._status], timeout=PATIENCE)
        if not self._status.done():
            self.kill()
            await asyncio.wait([self._status], timeout=PATIENCE)
            self.note_end(-signal.SIGKILL)
        return self._status.result()
