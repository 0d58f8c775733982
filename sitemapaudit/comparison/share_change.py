"""The change of the share of indexable URLs between two runs, and its bounds."""

from msgspec import Struct

from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.runs.sample import Bounds
from sitemapaudit.runs.share import Share


class ShareChange(Struct, frozen=True):
    """The change of the share of indexable URLs, from -1 to 1, if a run took a sample.

    ``low`` and ``high`` bound it at 95 % confidence, even if both runs drew the same URLs. Pages
    that could not be determined count both ways.
    """

    before: float
    after: float
    low: float
    high: float

    @property
    def is_more_than_chance(self) -> bool:
        """Return whether the bounds exclude zero."""
        return self.low > 0 or self.high < 0


def compare_shares(old: Manifest, new: Manifest) -> ShareChange | None:
    """Return the change; None if no run took a sample, or a share is unknown."""
    if not any(each.sample and each.sample.is_part for each in (old, new)):
        return None
    before, after = _bounds(old), _bounds(new)
    if before is None or after is None or before.share is None or after.share is None:
        return None
    return ShareChange(before.share, after.share, after.low - before.high, after.high - before.low)


def _bounds(manifest: Manifest) -> Bounds | None:
    if manifest.sample:
        return manifest.sample.for_comparison
    # The share of all URLs is unknown if the run was stopped.
    return _full_bounds(manifest.share) if manifest.status is Status.FINISHED else None


def _full_bounds(share: Share) -> Bounds | None:
    """Return the bounds of a share of all URLs: only the unknown URLs make it uncertain."""
    total = share.judged + share.unknown
    if not share.judged:
        return None
    return Bounds(share.value, share.indexable / total, (share.indexable + share.unknown) / total)
