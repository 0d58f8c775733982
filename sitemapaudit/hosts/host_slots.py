"""How many requests of each host the engine has at once: a slow host leaves room for others."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_PER_FREE_SLOT: Final = 4
"""Requests that a host can have in flight per free slot: so some slots are always free."""


class HostSlots(Generic[T]):
    """Gives out slots to requests, and queues the others until one is free.

    ``slots`` returns how many there are, ``limit`` how many requests a host can have in flight.
    """

    def __init__(self, slots: Callable[[], int], limit: Callable[[str], int]) -> None:
        self._slots = slots
        self._limit = limit
        self._in_flight: Counter[str] = Counter()
        self._total = 0
        self._waiting: dict[str, deque[T]] = {}

    def acquire(self, host: str, request: T) -> bool:
        """Return whether a request gets a slot now; else ``release`` returns it later."""
        if host not in self._waiting and self._has_free_slot(host, self._limit(host)):
            self._take(host)
            return True
        self._waiting.setdefault(host, deque()).append(request)
        return False

    def release(self, host: str) -> Iterator[T]:
        """Free the slot of a request that is done; yield the requests that get a slot now."""
        self._in_flight[host] -= 1
        self._total -= 1
        if not self._in_flight[host]:
            del self._in_flight[host]
        for each in list(self._waiting):
            limit = self._limit(each)
            while each in self._waiting and self._has_free_slot(each, limit):
                yield self._next(each)

    def _has_free_slot(self, host: str, limit: int) -> bool:
        in_flight, free = self._in_flight[host], self._slots() - self._total
        return free > 0 and in_flight < min(limit, _PER_FREE_SLOT * free)

    def _take(self, host: str) -> None:
        self._in_flight[host] += 1
        self._total += 1

    def _next(self, host: str) -> T:
        waiting = self._waiting[host]
        request = waiting.popleft()
        if not waiting:
            del self._waiting[host]
        self._take(host)
        return request
