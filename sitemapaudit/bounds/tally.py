"""Counts of a class in a sample."""

from __future__ import annotations

from msgspec import Struct


class Tally(Struct, frozen=True):
    """Members that were drawn: how many belong to a class, and for how many that is unknown."""

    drawn: int = 0
    found: int = 0
    unknown: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.drawn + other.drawn, self.found + other.found, self.unknown + other.unknown
        )

    @property
    def lowest(self) -> tuple[int, int]:
        """The number drawn, and the number in the class if no unknown member is."""
        return self.drawn, self.found

    @property
    def highest(self) -> tuple[int, int]:
        """The number drawn, and the number in the class if every unknown member is."""
        return self.drawn, self.found + self.unknown


NOTHING = Tally()
