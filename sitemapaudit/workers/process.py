"""A child process that receives messages through one pipe, and answers through another."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Final, Self

from sitemapaudit.workers.messages import (
    HEADER_BYTES,
    Answer,
    FileToRead,
    Order,
    content_length,
    decode_answers,
    frame_all,
)

_PATIENCE: Final = 5.0
"""Seconds that a child process has to end by itself."""


class ChildProcess:
    """A process that ends when its standard input does, and so with this process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, program: str, job: bytes, buffer: int) -> Self:
        """Start a program of this package, and send its job. Raises OSError.

        About twice ``buffer`` bytes of its answers can wait here.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", __package__, program),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=buffer,
            # The user's project, or an egg of Scrapyd.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
        )
        assert process.stdin is not None
        process.stdin.write(job)
        return cls(process)

    def send(self, tasks: Sequence[Order] | Sequence[FileToRead]) -> None:
        """Send tasks of one kind."""
        assert self._process.stdin is not None
        self._process.stdin.write(frame_all(tasks))

    async def answers(self) -> AsyncIterator[list[Answer]]:
        """Yield answers, several at a time, until the process ends."""
        assert self._process.stdout is not None
        read = self._process.stdout.readexactly
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                yield decode_answers(await read(content_length(await read(HEADER_BYTES))))

    def close_input(self) -> None:
        """Let the process end."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def kill(self) -> None:
        """Kill the process."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> int:
        """End the process; return its exit status, negative if a signal ended it."""
        self.close_input()
        try:
            return await asyncio.wait_for(self._process.wait(), _PATIENCE)
        except TimeoutError:
            self.kill()
            return await self._process.wait()
