"""A resolver of the names of websites: some have no address, and some get another one."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fetching.isolated_site import use_resolver
from tests.fetching.rebinding_site import answer
from tests.worlds.clock import SetClock

_ADDRESS = b"\0\1"
"""The type of a question for an IPv4 address (RFC 1035 section 3.2.2)."""


class Resolver(asyncio.DatagramProtocol):
    """Answers each query with the addresses of the website with that number.

    ``find`` is called with the number, and whether addresses of this kind are meant that the
    website can have. There is no answer if it returns None.
    """

    def __init__(self, find: Callable[[int, bool], tuple[str, ...] | None]) -> None:
        self._find = find
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        label = data[13 : 13 + data[12]]
        kind = data[data.index(b"\0", 12) + 1 :][:2]
        found = self._find(int(label[1:]), kind == _ADDRESS) if label[1:].isdigit() else ()
        if found is not None:
            self._transport.sendto(answer(data, found), addr)


@dataclass(frozen=True)
class Surroundings:
    """Prepares a process: its clock and its resolver, if they are not those of the machine."""

    folder: Path
    clock: SetClock | None
    resolver: str | None

    def __call__(self) -> None:
        if self.clock:
            self.clock()
        if self.resolver:
            self.folder.mkdir(parents=True, exist_ok=True)
            use_resolver(self.folder, self.resolver)
