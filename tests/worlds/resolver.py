"""A resolver of the names of websites, which has no address for some."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fetching.isolated_site import use_resolver
from tests.fetching.rebinding_site import answer
from tests.worlds.clock import SetClock


class Resolver(asyncio.DatagramProtocol):
    """Answers each query with the address of the website with that number, if there is one."""

    def __init__(self, find: Callable[[int], str | None]) -> None:
        self._find = find
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        label = data[13 : 13 + data[12]]
        found = self._find(int(label[1:])) if label[1:].isdigit() else None
        self._transport.sendto(answer(data, (found,) if found else ()), addr)


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
