"""Limits on processor time that mean the same on machines of different speed."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

_STEPS = 1_000_000
_SECONDS = 0.06
"""Seconds that a developer's machine takes for the steps."""


def is_within(seconds: float, limit: float) -> bool:
    """Return whether seconds of work would be within a limit on a developer's machine."""
    return seconds < limit or seconds < limit * _measure_slowness()


@contextmanager
def cpu_limit(limit: float = 1) -> Iterator[None]:
    """Fail if the block takes more processor time than that, on a developer's machine."""
    started = process_time()
    yield
    assert is_within(process_time() - started, limit)


def _measure_slowness() -> float:
    """Return how many times as long as a developer's machine this one takes for a loop.

    The slowest of a few: the speed of a shared machine varies.
    """
    return max(1.0, *(_time_loop() / _SECONDS for _ in range(5)))


def _time_loop() -> float:
    started, total = process_time(), 0
    for step in range(_STEPS):
        total += step
    return process_time() - started
