"""The times at which the audit itself was too busy to read responses."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals

from sitemapaudit.engine.private_api import create_looping_call

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_INTERVAL: Final = 0.1
"""Seconds between two looks at the clock; a look that is late by as much is a stall."""

_KEPT: Final = 1_000
"""The number of stalls that are remembered."""


class Stalls:
    """Measures how long the event loop was blocked by work, or by other programs.

    A response that arrives meanwhile is read late, which its server did not cause.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._stalls: deque[tuple[float, float]] = deque(maxlen=_KEPT)
        self._seen = time.monotonic()
        self._clock: Any = None
        crawler.signals.connect(self._start, signal=signals.engine_started)
        crawler.signals.connect(self._stop, signal=signals.engine_stopped)

    def between(self, began: float, ended: float) -> float:
        """Return the seconds of stalls between two times of ``time.monotonic``."""
        self._look()
        seconds = 0.0
        for start, end in reversed(self._stalls):
            if end <= began:
                break
            seconds += max(0.0, min(end, ended) - max(start, began))
        return seconds

    def _start(self) -> None:
        self._seen = time.monotonic()
        # Only now there is certainly an event loop.
        self._clock = create_looping_call(self._look)
        self._clock.start(_INTERVAL)

    def _stop(self) -> None:
        if self._clock is not None and self._clock.running:
            self._clock.stop()

    def _look(self) -> None:
        now = time.monotonic()
        if now - self._seen > 2 * _INTERVAL:
            self._stalls.append((self._seen + _INTERVAL, now))
        self._seen = now
