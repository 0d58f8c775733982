"""A limit on processor time."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time


@contextmanager
def cpu_limit(seconds: float = 1) -> Iterator[None]:
    """Fail if the block takes more processor time than that."""
    started = process_time()
    yield
    assert process_time() - started < seconds
