"""A thread for bodies that may take longer than 0.1 seconds to read.

zlib and the HTML parser release the GIL, so the event loop serves other hosts meanwhile.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class ReadingThread:
    """Reads one body at a time: a hostile site only delays other large bodies."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "reading")

    async def run(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of a function, called in the thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, lambda: read(*args, **kwargs))

    def close(self) -> None:
        """Stop reading after the current body."""
        self._executor.shutdown(wait=False, cancel_futures=True)
