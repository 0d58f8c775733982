"""The overview of a run: how many listed URLs are indexable, not indexable and unknown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sitemapaudit.items import Verdict
from sitemapaudit.report.wording import describe_waits
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.verdicts import MEANINGS


class State(StrEnum):
    """Whether a URL is indexable, according to its verdict."""

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
"""Arguments and settings that can skip URLs, with the values that skip none."""


@dataclass(slots=True, frozen=True)
class VerdictRow:
    """A verdict, the number of listed URLs with it, and their share of the selected URLs."""

    verdict: Verdict
    state: State
    meaning: str
    count: int
    share: float


@dataclass(slots=True, frozen=True)
class Overview:
    """The counts of listed URLs; ``skipped`` counts those that were skipped by choice."""

    site: str
    listed: int
    indexable: int
    not_indexable: int
    unknown: int
    skipped: int
    verdicts: tuple[VerdictRow, ...]
    limits: tuple[tuple[str, str], ...]
    waits: str | None = None

    @property
    def known(self) -> int:
        """The number of URLs that are known to be indexable or not."""
        return self.indexable + self.not_indexable

    @property
    def selected(self) -> int:
        """The number of URLs that were not skipped by choice."""
        return self.known + self.unknown

    @property
    def share(self) -> float | None:
        """The share of known URLs that are indexable; None if none is known."""
        return self.indexable / self.known if self.known else None


def build_overview(manifest: Manifest) -> Overview:
    """Return the overview of a run."""
    verdicts = Counter(manifest.verdicts)
    skipped = verdicts[Verdict.UNCHECKED] - manifest.unchecked_urls
    verdicts[Verdict.UNCHECKED] = manifest.unchecked_urls
    states = Counter[State]()
    for verdict in Verdict:
        states[_STATES[verdict.indexable]] += verdicts[verdict]
    return Overview(
        site=site_of(manifest),
        listed=manifest.rows.get("urls", 0),
        indexable=states[State.INDEXABLE],
        not_indexable=states[State.NOT_INDEXABLE],
        unknown=states[State.UNKNOWN],
        skipped=skipped,
        verdicts=tuple(_rows(verdicts)),
        limits=tuple(_limits(manifest)),
        waits=describe_waits(manifest.refused, manifest.rested) if manifest.refused else None,
    )


def site_of(manifest: Manifest) -> str:
    """Return what was audited, as given in the arguments."""
    values = (manifest.arguments.get(name) for name in ("site", "sitemap"))
    return ", ".join(str(value) for value in values if value) or "a site"


def _rows(verdicts: Counter[str]) -> Iterator[VerdictRow]:
    for verdict in reversed(Verdict):
        count = verdicts[verdict]
        if count:
            yield VerdictRow(
                verdict,
                _STATES[verdict.indexable],
                MEANINGS[verdict],
                count,
                count / verdicts.total(),
            )


def _limits(manifest: Manifest) -> Iterator[tuple[str, str]]:
    chosen = manifest.settings | manifest.arguments
    for name, unlimited in _UNLIMITED.items():
        value = chosen.get(name, unlimited)
        if value not in (unlimited, None):
            yield name, str(value)
