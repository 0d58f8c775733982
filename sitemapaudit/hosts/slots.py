"""Limits on the requests in flight per host: a slow host leaves room for others."""

from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

from sitemapaudit.hosts.host import Host

T = TypeVar("T")

_PER_FREE_SLOT: Final = 4
"""Requests that a host may have in flight per free slot, so that some slots stay free."""


class Slots(Generic[T]):
    """Gives out slots to requests, and queues the others until one is free.

    ``slots`` returns their number, ``limit`` how many requests of a host may be in flight.
    """

    def __init__(self, slots: Callable[[], int], limit: Callable[[Host], int]) -> None:
        self._slots = slots
        self._limit = limit
        self._total = 0
        self._waiting: dict[Host, None] = {}
        """The hosts with requests that wait, in order."""

    def acquire(self, host: Host, request: T) -> bool:
        """Return whether a request gets a slot now; otherwise ``release`` returns it later."""
        if not host.waiting and self._has_free_slot(host, self._limit(host)):
            self._take(host)
            return True
        host.waiting.append(request)
        self._waiting[host] = None
        return False

    def release(self, host: Host) -> Iterator[T]:
        """Free the slot of a finished request; yield the requests that get a slot now."""
        host.in_flight -= 1
        self._total -= 1
        for each in list(self._waiting):
            limit = self._limit(each)
            while each.waiting and self._has_free_slot(each, limit):
                self._take(each)
                request: T = each.waiting.popleft()
                yield request
            if not each.waiting:
                self._waiting.pop(each, None)

    def _has_free_slot(self, host: Host, limit: int) -> bool:
        free = self._slots() - self._total
        return free > 0 and host.in_flight < min(limit, _PER_FREE_SLOT * free)

    def _take(self, host: Host) -> None:
        host.in_flight += 1
        self._total += 1
