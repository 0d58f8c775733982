"""The pages that a run reused from an earlier run."""

from dataclasses import dataclass, field
from typing import Final

LATEST: Final = "latest"
"""The argument ``reuse`` that stands for the run of the same site before this one."""


@dataclass(slots=True, frozen=True)
class ReusedRun:
    """The earlier run whose ``pages`` could be revalidated, or the ``reason`` why none could.

    ``revalidated`` counts the pages of this run by the result of their revalidation, ``refetched``
    those that were fetched in full because their server was not trusted.
    """

    run: str | None = None
    reason: str | None = None
    pages: int = 0
    revalidated: dict[str, int] = field(default_factory=dict)
    refetched: int = 0
