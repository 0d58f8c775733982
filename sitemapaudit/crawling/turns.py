"""How many requests of each host Scrapy has at once: a slow host leaves room for the others."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_SHARE: Final = 4
"""A host may have so many times as many requests under way as are free: some always are."""


class Turns(Generic[T]):
    """Lets requests pass while there is ``room``, and keeps the others until there is.

    ``most`` says how many a host may have under way at most.
    """

    def __init__(self, room: int, most: Callable[[str], int]) -> None:
        self._room = room
        self._most = most
        self._under_way: Counter[str] = Counter()
        self._total = 0
        self._waiting: dict[str, deque[T]] = {}

    def enter(self, host: str, what: T) -> bool:
        """Whether a request may pass now; if not, it is handed out by ``leave`` once it may."""
        if host not in self._waiting and self._has_turn(host):
            self._pass(host)
            return True
        self._waiting.setdefault(host, deque()).append(what)
        return False

    def leave(self, host: str) -> Iterator[T]:
        """Note that a request is answered; yield those that may pass now."""
        self._under_way[host] -= 1
        self._total -= 1
        if not self._under_way[host]:
            del self._under_way[host]
        for each in list(self._waiting):
            while each in self._waiting and self._has_turn(each):
                yield self._released(each)

    def _has_turn(self, host: str) -> bool:
        begun, free = self._under_way[host], self._room - self._total
        return free > 0 and begun < min(self._most(host), _SHARE * free)

    def _pass(self, host: str) -> None:
        self._under_way[host] += 1
        self._total += 1

    def _released(self, host: str) -> T:
        waiting = self._waiting[host]
        what = waiting.popleft()
        if not waiting:
            del self._waiting[host]
        self._pass(host)
        return what
