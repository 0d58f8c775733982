"""The required precision of a share."""

import re
from typing import Final, Self

from msgspec import Struct

_MARGIN: Final = re.compile(r"(?:±|\+-|\+/-)\s*(\d+(?:\.\d+)?)\s*%")

SMALLEST, LARGEST = 0.1, 20.0
"""The margins that can be requested, in percent."""


class Margin(Struct, frozen=True):
    """The maximum difference between a share and its estimate, in percent."""

    percent: float

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read ``±1%`` or ``+-1%``; None if it is something else.

        Raises ValueError, with a sentence, if the margin is not allowed.
        """
        found = _MARGIN.fullmatch(text.strip())
        if found is None:
            return None
        margin = cls(float(found[1]))
        if not SMALLEST <= margin.percent <= LARGEST:
            raise ValueError(f"{text!r} is not between ±{SMALLEST:g}% and ±{LARGEST:g}%")
        return margin

    @property
    def part(self) -> float:
        """The margin as a fraction."""
        return self.percent / 100

    def __str__(self) -> str:
        return f"±{self.percent:g}%"
