"""Counts of a run that no row of its ledger has: each crawl of the run adds to them."""

from collections import Counter
from collections.abc import Mapping

from sitemapaudit.runs import stats
from sitemapaudit.runs.manifest import Manifest


class CrawlCounts:
    """The counts of the crawls before this one, from the manifest of a run."""

    def __init__(self, manifest: Manifest) -> None:
        self._refused = Counter(manifest.refused)
        self._set_aside = Counter(manifest.set_aside)
        self._rested = manifest.rested

    def record(
        self, manifest: Manifest, values: Mapping[str, float], broken: Mapping[str, int]
    ) -> bool:
        """Record them with those of this crawl; return whether they changed.

        ``values`` are the stats of the crawl. ``broken`` are the failures of rules in this process,
        which has checked again what the crawls before this one recorded.
        """
        before = _recorded(manifest)
        manifest.broken_rules = dict(Counter(broken) + Counter(stats.broken_rules(values)))
        manifest.refused = dict(self._refused + Counter(stats.count_refused(values)))
        manifest.set_aside = dict(self._set_aside + Counter(stats.count_set_aside(values)))
        manifest.rested = round(self._rested + values.get(stats.RESTED, 0.0), 1)
        return _recorded(manifest) != before


def _recorded(manifest: Manifest) -> tuple[object, ...]:
    return manifest.broken_rules, manifest.refused, manifest.set_aside, manifest.rested
