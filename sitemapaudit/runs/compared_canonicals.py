"""Crawlers that get the canonical of a page in the head, which this program gets outside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MAX_DESCRIBED: Final = 3
"""The number of pages that are described; there is one per site."""


@dataclass(slots=True, frozen=True)
class ComparedCanonicals:
    """A page, and the crawlers whose User-Agents get its canonical in the head, and outside it.

    Crawlers that are in neither list got no page, or none with a canonical.
    """

    url: str
    in_head: list[str]
    outside: list[str]

    def describe(self) -> str:
        """Describe for whom the canonical counts, and what to do."""
        seen = f"{self.url}: the canonical is outside the head for this program"
        if self.outside:
            seen += f" and for {' and '.join(self.outside)}, where it does not count"
        if not self.in_head:
            return f"{seen}."
        return (
            f"{seen}; for the User-Agent of {' and '.join(self.in_head)} it is in the head, and"
            " counts. Next.js streams metadata so: htmlLimitedBots names who gets it in the head."
        )


def describe_canonicals(compared: Sequence[ComparedCanonicals]) -> list[str]:
    """Describe the first comparisons."""
    return [each.describe() for each in compared[:MAX_DESCRIBED]]
