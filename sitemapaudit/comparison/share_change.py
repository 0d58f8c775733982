"""Whether the share of indexable URLs changed by more than chance between two runs."""

from msgspec import Struct

from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.runs.sample import Bounds
from sitemapaudit.runs.share import Share


class ShareChange(Struct, frozen=True):
    """The change of the share of indexable URLs, from -1 to 1; at least one run took a sample.

    ``low`` and ``high`` hold at 95 % confidence, also if both runs drew the same URLs. Pages that
    could not be determined count both ways.
    """

    before: float
    after: float
    low: float
    high: float

    @property
    def is_more_than_chance(self) -> bool:
        """Whether no change is not among the changes that fit."""
        return self.low > 0 or self.high < 0


def compare_shares(old: Manifest, new: Manifest) -> ShareChange | None:
    """Return the change; None if no run took a sample, or one of them knows no share."""
    if not any(each.sample and each.sample.is_part for each in (old, new)):
        return None
    before, after = _bounds(old), _bounds(new)
    if before is None or after is None or before.share is None or after.share is None:
        return None
    return ShareChange(before.share, after.share, after.low - before.high, after.high - before.low)


def _bounds(manifest: Manifest) -> Bounds | None:
    if manifest.sample:
        return manifest.sample.for_comparison
    # Of a run that was stopped, nobody knows the share of all URLs.
    return _known(manifest.share) if manifest.status is Status.FINISHED else None


def _known(share: Share) -> Bounds | None:
    """Return the bounds of a share of which only the unknown URLs are open."""
    total = share.judged + share.unknown
    if not share.judged:
        return None
    return Bounds(share.value, share.indexable / total, (share.indexable + share.unknown) / total)
