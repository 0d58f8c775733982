"""Which URLs belong to which part of an audit that several workers share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

from sitemapaudit import urls

_SHARD: Final = re.compile(r"(\d+)/(\d+)")


@dataclass(slots=True, frozen=True, order=True)
class Shard:
    """The ``index``-th (from 1) of ``count`` parts of all URLs."""

    index: int
    count: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a part such as 2/8; raises ValueError."""
        match = _SHARD.fullmatch(text.strip())
        if not match or not 1 <= int(match.group(1)) <= int(match.group(2)):
            raise ValueError(f"{text!r} is no part such as 2/8")
        return cls(int(match.group(1)), int(match.group(2)))

    def holds(self, url: str) -> bool:
        """Whether a URL belongs to this part, by a hash that is the same everywhere."""
        return self.count == 1 or self.holder(url) == self

    def holder(self, url: str) -> Self:
        """Return the one of these parts that a URL belongs to."""
        return type(self)(urls.digest(url) % self.count + 1, self.count)

    def part_of(self, total: int) -> int:
        """Return how many of so many things this part has: the parts of all make up the whole."""
        return total // self.count + (self.index <= total % self.count)

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


WHOLE: Final = Shard(1, 1)
