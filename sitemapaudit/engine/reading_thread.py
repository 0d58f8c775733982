"""A thread that reads bodies which may take longer than a tenth of a second.

zlib and the HTML parser release the GIL: meanwhile, the event loop serves all other hosts.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class ReadingThread:
    """Reads one body after the other: a hostile site delays the large bodies of others at most."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "reading")

    async def run(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of a function, called in the thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, lambda: read(*args, **kwargs))

    def close(self) -> None:
        """Read nothing more; what is read now is read to its end."""
        self._executor.shutdown(wait=False, cancel_futures=True)
