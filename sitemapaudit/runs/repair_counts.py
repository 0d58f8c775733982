"""Counts of what a repair would change, as a run reports them."""

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class RepairCount:
    """The listed URLs of one verdict that a repair would change in the same way.

    ``change`` is ``dropped`` or ``replaced``, ``sitemaps`` counts the sitemaps that list them, and
    ``example`` is one of them.
    """

    verdict: str
    change: str
    urls: int
    sitemaps: int
    example: str
