"""The overview of a run: how many listed URLs are indexable, not indexable and unknown."""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from sitemapaudit.items import Verdict
from sitemapaudit.numbers import percent
from sitemapaudit.report.wording import (
    describe_bounds,
    describe_reuse,
    describe_script_pages,
    describe_waits,
)
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.sample import Bounds
from sitemapaudit.runs.share import Share
from sitemapaudit.verdicts import MEANINGS


class State(StrEnum):
    """The indexability of a URL, according to its verdict."""

    INDEXABLE = "indexable"
    NOT_INDEXABLE = "not indexable"
    UNKNOWN = "unknown"


_STATES: Final = {
    True: State.INDEXABLE,
    False: State.NOT_INDEXABLE,
    None: State.UNKNOWN,
}

_UNLIMITED: Final[Mapping[str, Any]] = {
    "pages": "all",
    "include": "",
    "exclude": "",
    "since": "",
    "shard": "1/1",
    "AUDIT_MAX_URLS": 0,
}
"""Arguments and settings that can skip URLs, with the values that do not."""


class VerdictRow(Struct, frozen=True):
    """A verdict and its listed URLs; ``share`` is their share of the judged URLs.

    ``bounds`` is the estimate of a sample for their share of all URLs.
    """

    verdict: Verdict
    state: State
    meaning: str
    count: int
    share: float | None
    bounds: Bounds | None = None

    @property
    def share_text(self) -> str:
        """The share, with its bounds if it is estimated; empty if it is unknown."""
        if self.bounds:
            return describe_bounds(self.bounds)
        return "" if self.share is None else percent(self.share)


class Overview(Struct, frozen=True):
    """The opening figures of the report, about the listed URLs of a run."""

    site: str
    listed: int
    counts: Share
    verdicts: tuple[VerdictRow, ...]
    limits: tuple[tuple[str, str], ...]
    waits: str | None = None
    reuse: str | None = None
    scripts: str | None = None

    @property
    def indexable(self) -> int:
        """The number of indexable URLs."""
        return self.counts.indexable

    @property
    def not_indexable(self) -> int:
        """The number of judged URLs that are not indexable."""
        return self.counts.judged - self.counts.indexable

    @property
    def unknown(self) -> int:
        """The number of URLs that could not be determined."""
        return self.counts.unknown

    @property
    def skipped(self) -> int:
        """The number of URLs that were skipped by choice."""
        return self.counts.skipped

    @property
    def selected(self) -> int:
        """The number of URLs that were not skipped by choice."""
        return self.counts.judged + self.counts.unknown

    @property
    def share(self) -> float | None:
        """The share of judged URLs that are indexable; None if none was judged."""
        return self.counts.value


def build_overview(manifest: Manifest) -> Overview:
    """Return the overview of a run."""
    return Overview(
        site=site_of(manifest),
        listed=manifest.rows.get("urls", 0),
        counts=manifest.share,
        verdicts=tuple(list_verdicts(manifest)),
        limits=tuple(_limits(manifest)),
        scripts=describe_script_pages(manifest.script_pages, manifest.read_pages),
        waits=describe_waits(manifest.refused, manifest.rested) if manifest.refused else None,
        reuse=describe_reuse(manifest.reused) if manifest.reused else None,
    )


def count_states(share: Share) -> dict[State, int]:
    """Return the number of URLs in each state."""
    return {
        State.INDEXABLE: share.indexable,
        State.NOT_INDEXABLE: share.judged - share.indexable,
        State.UNKNOWN: share.unknown,
    }


def site_of(manifest: Manifest) -> str:
    """Return the audited site, as given in the arguments."""
    values = (manifest.arguments.get(name) for name in ("site", "sitemap"))
    return ", ".join(str(value) for value in values if value) or "a site"


def list_verdicts(manifest: Manifest) -> Iterator[VerdictRow]:
    """Yield the verdicts of the URLs that were not skipped by choice, the best first."""
    judged = manifest.share.judged
    verdicts = Counter(manifest.verdicts)
    verdicts[Verdict.UNCHECKED] = manifest.unchecked_urls
    for verdict in reversed(Verdict):
        if count := verdicts[verdict]:
            state = _STATES[verdict.indexable]
            share = None if state is State.UNKNOWN else count / judged
            sample = manifest.sample
            bounds = sample.verdicts.get(verdict) if sample and sample.is_part else None
            yield VerdictRow(verdict, state, MEANINGS[verdict], count, share, bounds)


def _limits(manifest: Manifest) -> Iterator[tuple[str, str]]:
    chosen = manifest.settings | manifest.arguments
    for name, unlimited in _UNLIMITED.items():
        value = chosen.get(name, unlimited)
        if value not in (unlimited, None):
            yield name, str(value)
