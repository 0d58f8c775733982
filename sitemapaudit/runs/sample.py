"""The estimate for the listed URLs from a sample, as the manifest records it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sitemapaudit.items import Verdict


@dataclass(slots=True)
class Bounds:
    """A share from 0 to 1, and its lowest and highest values at 95 % confidence.

    ``share`` is None if nothing in the sample is known.
    """

    share: float | None
    low: float
    high: float


@dataclass(slots=True)
class Sample:
    """A sample of a ``population`` of URLs, and the bounds of the share of each verdict.

    ``margin`` is the requested margin, as given; None if a size was given. ``for_comparison`` are
    the bounds of the share of indexable URLs at 97.5 % confidence: those of two runs are valid
    together at 95 %. ``fault`` says why the sample is not random: then it has no bounds.
    """

    drawn: int
    population: int
    margin: str | None = None
    verdicts: dict[str, Bounds] = field(default_factory=dict)
    for_comparison: Bounds | None = None
    fault: str | None = None

    @property
    def is_part(self) -> bool:
        """Whether it has bounds, and some URLs were not drawn: otherwise nothing is estimated."""
        return self.fault is None and self.drawn < self.population

    @property
    def indexable(self) -> Bounds | None:
        """The bounds of the share of indexable URLs."""
        return self.verdicts.get(Verdict.INDEXABLE)
