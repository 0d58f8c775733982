"""The answer at the top: how much is indexable, what is not known, and how far the audit came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.items import Verdict


class State(StrEnum):
    """What a verdict says of whether a URL is indexable."""

    INDEXABLE = "indexable"
    NOT_INDEXABLE = "not indexable"
    NOT_KNOWN = "not known"


_STATES: Final = {
    True: State.INDEXABLE,
    False: State.NOT_INDEXABLE,
    None: State.NOT_KNOWN,
}

MEANINGS: Final[Mapping[Verdict, str]] = {
    Verdict.UNCHECKED: "was to be asked for, and was not",
    Verdict.BLOCKED: "robots.txt forbids it",
    Verdict.UNREACHABLE: "no usable answer: DNS, TLS, connection or time-out",
    Verdict.DENIED: "answers 401, 403, 407 or 429: what others get is not known",
    Verdict.SERVER_ERROR: "answers with a server error (5xx)",
    Verdict.NOT_FOUND: "answers 404 or 410",
    Verdict.CLIENT_ERROR: "answers with another client error (4xx)",
    Verdict.REDIRECTED: "answers with a redirect",
    Verdict.NOINDEX: "says noindex",
    Verdict.CANONICALIZED: "names another URL as its canonical",
    Verdict.SOFT_404: "answers 200, and looks like a page that is not there",
    Verdict.INDEXABLE: "answers 200, and nothing keeps it out of an index",
}

_UNLIMITED: Final[Mapping[str, Any]] = {
    "pages": "all",
    "include": "",
    "exclude": "",
    "since": "",
    "shard": "1/1",
    "AUDIT_MAX_URLS": 0,
}
"""Arguments and settings that leave URLs out, with the values that leave none out."""


@dataclass(slots=True, frozen=True)
class VerdictRow:
    """One verdict: how many listed URLs have it, of all that were to be looked at."""

    verdict: Verdict
    state: State
    meaning: str
    number: int
    share: float


@dataclass(slots=True, frozen=True)
class Overview:
    """The answer in numbers; ``left_out`` counts the URLs that were left out by choice."""

    site: str
    listed: int
    indexable: int
    not_indexable: int
    not_known: int
    left_out: int
    verdicts: tuple[VerdictRow, ...]
    limits: tuple[tuple[str, str], ...]

    @property
    def known(self) -> int:
        """Of how many URLs it is known whether they are indexable."""
        return self.indexable + self.not_indexable

    @property
    def asked(self) -> int:
        """How many URLs were to be looked at."""
        return self.known + self.not_known

    @property
    def share(self) -> float | None:
        """The share of the indexable among the known; None if nothing is known."""
        return self.indexable / self.known if self.known else None


def overview(manifest: Manifest) -> Overview:
    """Return the answer of a run."""
    verdicts = Counter(manifest.verdicts)
    left_out = verdicts[Verdict.UNCHECKED] - manifest.unchecked
    verdicts[Verdict.UNCHECKED] = manifest.unchecked
    states = Counter[State]()
    for verdict in Verdict:
        states[_STATES[verdict.indexable]] += verdicts[verdict]
    return Overview(
        site=site_of(manifest),
        listed=manifest.rows.get("urls", 0),
        indexable=states[State.INDEXABLE],
        not_indexable=states[State.NOT_INDEXABLE],
        not_known=states[State.NOT_KNOWN],
        left_out=left_out,
        verdicts=tuple(_rows(verdicts)),
        limits=tuple(_limits(manifest)),
    )


def site_of(manifest: Manifest) -> str:
    """Return what was audited, in the words of whoever asked."""
    chosen = (manifest.arguments.get(name) for name in ("site", "sitemap"))
    return ", ".join(str(value) for value in chosen if value) or "a site"


def _rows(verdicts: Counter[str]) -> Iterator[VerdictRow]:
    for verdict in reversed(Verdict):
        number = verdicts[verdict]
        if number:
            yield VerdictRow(
                verdict,
                _STATES[verdict.indexable],
                MEANINGS[verdict],
                number,
                number / verdicts.total(),
            )


def _limits(manifest: Manifest) -> Iterator[tuple[str, str]]:
    chosen = manifest.settings | manifest.arguments
    for name, unlimited in _UNLIMITED.items():
        value = chosen.get(name, unlimited)
        if value not in (unlimited, None):
            yield name, str(value)
