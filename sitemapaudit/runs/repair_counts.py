"""Counts of what a repair would change, as a run reports them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True, frozen=True)
class RepairCount:
    """The listed URLs of one verdict that a repair would change in the same way.

    ``change`` is ``dropped`` or ``replaced``, ``sitemaps`` counts the sitemaps that list them,
    ``example`` is one of them, and ``rules`` counts the URLs with findings of each rule.
    """

    verdict: str
    change: str
    urls: int
    sitemaps: int
    example: str
    rules: Mapping[str, int] = field(default_factory=dict)
