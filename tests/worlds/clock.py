"""The wall clock of an audit, which is set while the audit runs."""

import sys
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from inspect import getsource
from itertools import count
from typing import Any


@dataclass(frozen=True)
class SetClock:
    """Prepares a process: its clock is set by some seconds after this number of readings.

    Monotonic time, which the waits and timeouts of the audit use, goes on.
    """

    seconds: int
    reads: int

    def __call__(self) -> None:
        reads, change, least = count(), timedelta(seconds=self.seconds), self.reads

        class Type(type):
            def __getattr__(cls, name: str) -> Any:
                return getattr(datetime, name)

            def __call__(cls, *values: Any, **named: Any) -> datetime:
                return datetime(*values, **named)  # noqa: DTZ001 - the zone is among the values

            def __instancecheck__(cls, value: object) -> bool:
                return isinstance(value, datetime)

        class Clock(metaclass=Type):
            @staticmethod
            def now(zone: tzinfo | None = None) -> datetime:
                return datetime.now(zone) + (change if next(reads) >= least else timedelta())

        for name, module in list(sys.modules.items()):
            # Others use the class to recognize columns.
            if name.startswith("sitemapaudit.") and "datetime.now(" in getsource(module):
                vars(module)["datetime"] = Clock
