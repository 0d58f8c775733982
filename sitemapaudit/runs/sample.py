"""What a sample tells about the listed URLs, as the manifest records it."""

from dataclasses import dataclass, field

from sitemapaudit.items import Verdict


@dataclass(slots=True)
class Bounds:
    """A share from 0 to 1, and the least and the greatest one that fit at 95 % confidence.

    ``share`` is None if nothing that was drawn is known.
    """

    share: float | None
    low: float
    high: float


@dataclass(slots=True)
class Sample:
    """How many URLs of a ``population`` were drawn, and the bounds of the share of each verdict.

    ``margin`` is the one that the sample grew for, as given; None if its size was given.
    ``for_comparison`` are the bounds of the share of indexable URLs at 97.5 % confidence: those of
    two runs hold at once at 95 %. ``fault`` says why the sample is not random: then it has no
    bounds.
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
