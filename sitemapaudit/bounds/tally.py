"""The outcome of a sample."""

from __future__ import annotations

from msgspec import Struct


class Tally(Struct, frozen=True):
    """Counts of drawn members: all, those of a class, and those for which that is unknown."""

    drawn: int = 0
    found: int = 0
    unknown: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.drawn + other.drawn, self.found + other.found, self.unknown + other.unknown
        )

    @property
    def lowest(self) -> tuple[int, int]:
        """The members drawn and found, if no unknown member belongs to the class."""
        return self.drawn, self.found

    @property
    def highest(self) -> tuple[int, int]:
        """The members drawn and found, if every unknown member belongs to the class."""
        return self.drawn, self.found + self.unknown


NOTHING = Tally()
