"""A worker's side of the two pipes to the main process."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from sitemapaudit.workers.messages import (
    HEADER_BYTES,
    Answer,
    Order,
    content_length,
    decode_orders,
    frame_all,
)

_BUFFER: Final = 1 << 20


async def open_pipes(
    source: int, target: int, limit: int
) -> tuple[asyncio.StreamReader, asyncio.WriteTransport]:
    """Return a stream that reads one pipe, and a transport that writes another one.

    About twice ``limit`` bytes can wait in the stream.
    """
    loop = asyncio.get_running_loop()
    stream = asyncio.StreamReader(limit=limit)
    pipe = os.fdopen(source, "rb", buffering=0)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stream), pipe)
    output = os.fdopen(target, "wb", buffering=0)
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, output)
    return stream, transport


class Connection:
    """Receives orders and sends answers, several at a time."""

    def __init__(self, orders: int, answers: int) -> None:
        self._orders = orders
        self._answers = answers
        self._unsent: list[Answer] = []
        self._transport: asyncio.WriteTransport | None = None

    def read_job(self) -> bytes:
        """Return the content of the first message, before the event loop runs."""
        return self._read(content_length(self._read(HEADER_BYTES)))

    async def orders(self) -> AsyncIterator[list[Order]]:
        """Yield orders until the main process ends, or ends this one."""
        stream, self._transport = await open_pipes(self._orders, self._answers, _BUFFER)
        self._flush()  # A message without answers says that the worker is ready.
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                header = await stream.readexactly(HEADER_BYTES)
                yield decode_orders(await stream.readexactly(content_length(header)))

    def send(self, answer: Answer) -> None:
        """Send an answer, together with others of the same moment."""
        if not self._unsent and self._transport is not None:
            asyncio.get_running_loop().call_soon(self._flush)
        self._unsent.append(answer)

    def _flush(self) -> None:
        assert self._transport is not None
        answers, self._unsent = self._unsent, []
        self._transport.write(frame_all(answers))

    def _read(self, size: int) -> bytes:
        content = b""
        while len(content) < size:
            part = os.read(self._orders, size - len(content))
            if not part:
                raise SystemExit(1)  # The main process has ended.
            content += part
        return content
