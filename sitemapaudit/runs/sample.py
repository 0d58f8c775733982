"""Estimates from a sample of the listed URLs, as the manifest records them."""

from dataclasses import dataclass, field

from sitemapaudit.items import Verdict


@dataclass(slots=True)
class Bounds:
    """A share from 0 to 1, and the lowest and highest share that fit at 95 % confidence.

    Without a known member in the sample, ``share`` has no value.
    """

    share: float | None
    low: float
    high: float


@dataclass(slots=True)
class Sample:
    """The number of URLs drawn from a ``population``, and the bounds of each verdict's share.

    ``margin`` is the margin that the sample grew for, as given; None if its size was given.
    ``omitted`` is the number of URLs that AUDIT_MAX_URLS omitted, at least.
    ``for_comparison`` has the bounds of the share of indexable URLs at 97.5 % confidence: those of
    two runs are both right at 95 %. ``fault`` says why the sample is not random: then it has no
    bounds.
    """

    drawn: int
    population: int
    margin: str | None = None
    verdicts: dict[str, Bounds] = field(default_factory=dict)
    for_comparison: Bounds | None = None
    fault: str | None = None
    omitted: int = 0

    @property
    def is_part(self) -> bool:
        """True if it has bounds, and some URLs were not drawn: otherwise nothing is estimated."""
        return self.fault is None and self.drawn < self.population

    @property
    def indexable(self) -> Bounds | None:
        """The bounds of the share of indexable URLs."""
        return self.verdicts.get(Verdict.INDEXABLE)
