"""The share of indexable URLs, defined here for every place that prints it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Self

from msgspec import Struct

from sitemapaudit.items import Verdict
from sitemapaudit.runs.sample import Bounds, Sample


class ShareSummary(Struct, frozen=True):
    """The share of indexable URLs in files: the counts, the share in percent, and its bounds.

    If only a sample was fetched, the share is that of all URLs as estimated, with its ``bounds``.
    """

    indexable: int
    judged: int
    percent: float | None
    undetermined: dict[str, int]
    skipped: int
    bounds: Bounds | None = None


@dataclass(slots=True, frozen=True)
class Share:
    """Counts of listed URLs: how many judged URLs are indexable, and which were not judged.

    A URL is judged if its verdict says whether it is indexable. ``undetermined`` counts the others
    per verdict, ``skipped`` those that were skipped by choice (a sample, a filter, a shard).
    ``sample`` has the estimates for all URLs, if only a sample was fetched. ``unread_sitemaps``
    counts the sitemaps whose URLs are unknown.
    """

    indexable: int = 0
    judged: int = 0
    undetermined: dict[str, int] = field(default_factory=dict)
    skipped: int = 0
    sample: Sample | None = None
    unread_sitemaps: int = 0

    @classmethod
    def of(cls, verdicts: Mapping[str, int], unchecked: int) -> Self:
        """Count; ``unchecked`` are the unchecked URLs that should have been fetched."""
        counts = Counter(verdicts)
        skipped = counts[Verdict.UNCHECKED] - unchecked
        counts[Verdict.UNCHECKED] = unchecked
        unknown = (each.value for each in Verdict if each.indexable is None)
        undetermined = {name: counts[name] for name in unknown if counts[name]}
        judged = counts.total() - sum(undetermined.values())
        return cls(counts[Verdict.INDEXABLE], judged, undetermined, skipped)

    @property
    def value(self) -> float | None:
        """The indexable part of the judged URLs, from 0 to 1; None if none was judged."""
        return self.indexable / self.judged if self.judged else None

    @property
    def best_value(self) -> float | None:
        """The best guess of the indexable part: the estimate of a sample, otherwise ``value``."""
        return self.bounds.share if self.bounds else self.value

    @property
    def known_value(self) -> float | None:
        """The known indexable part of the URLs; None if all were skipped by choice.

        A URL that could not be determined counts as not indexable. With a sample, it is the lowest
        share of all URLs that fits.
        """
        if self.bounds:
            return self.bounds.low
        total = self.judged + self.unknown
        return self.indexable / total if total else None

    @property
    def percent(self) -> float | None:
        """The best guess in percent, rounded down to one decimal: only 1 gives 100."""
        if self.bounds:
            return None if self.bounds.share is None else floor(self.bounds.share * 1000) / 10
        return self.indexable * 1000 // self.judged / 10 if self.judged else None

    @property
    def bounds(self) -> Bounds | None:
        """The bounds of the share among all URLs, if a sample was fetched."""
        return self.sample.indexable if self.sample and self.sample.is_part else None

    @property
    def unknown(self) -> int:
        """The number of URLs that could not be determined."""
        return sum(self.undetermined.values())

    def summary(self) -> ShareSummary:
        """Return the share as the manifest contains it."""
        return ShareSummary(
            self.indexable,
            self.judged,
            self.percent,
            self.undetermined,
            self.skipped,
            self.bounds,
        )
