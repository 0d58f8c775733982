"""The progress of a running audit, for processes that only started it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Self

import msgspec
from msgspec import Struct


class ProgressReport(Struct, frozen=True):
    """The listed URLs that an audit has fetched and knows so far, its findings and its entries.

    ``all_listed`` is 1 as soon as it knows all listed URLs. ``run`` is its run folder.
    """

    done: int = 0
    listed: int = 0
    findings: int = 0
    entries: int = 0
    all_listed: int = 0
    run: str = ""

    @classmethod
    def read(cls, line: bytes) -> Self | None:
        """Read a line of ``text``; None if it is another line."""
        try:
            return msgspec.json.decode(line, type=cls) if line.startswith(b"{") else None
        except msgspec.MsgspecError:
            return None

    @property
    def text(self) -> str:
        """One line."""
        return msgspec.json.encode(self).decode()

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a task of a progress bar."""
        return {
            "completed": self.done,
            "total": self.listed or None,
            "findings": self.findings,
            "entries": self.entries,
            "all_listed": bool(self.all_listed),
        }


listeners: Final[list[Callable[[ProgressReport], None]]] = []
"""Functions of this process that get each change; at most one report in two seconds."""
