"""A child process that gets messages through one pipe, and answers through another."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import Final, Self

from sitemapaudit.workers.messages import HEADER_BYTES, content_length

_PATIENCE: Final = 5.0
"""Seconds in which a child process ends by itself."""


class ChildProcess:
    """A process that ends when its standard input ends, however this process ends."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, program: str, job: bytes, buffer: int) -> Self:
        """Start a program of this package, and send it its job as a message. Raises OSError.

        About twice as many bytes as ``buffer`` of its answers can wait here.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", __package__, program),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=buffer,
            # A project of the user's own, or an egg of Scrapyd.
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
        )
        assert process.stdin is not None
        process.stdin.write(job)
        return cls(process)

    def write(self, message: bytes) -> None:
        """Send a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(message)

    async def read(self) -> bytes:
        """Return the content of the next message.

        Raises IncompleteReadError or ConnectionError if the process has ended.
        """
        assert self._process.stdout is not None
        read = self._process.stdout.readexactly
        return await read(content_length(await read(HEADER_BYTES)))

    def close_input(self) -> None:
        """Let the process end."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def kill(self) -> None:
        """End the process at once, whatever it does."""
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
