"""Many sites at once: what the manifest of the newest run says of each, the worst first.

Nothing but manifests is read, one at a time: memory holds no more than a row for each site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

from sitemapaudit.datasets.database import table_file
from sitemapaudit.datasets.folders import is_under_way
from sitemapaudit.datasets.manifest import NAME, Manifest, Status
from sitemapaudit.items import Severity
from sitemapaudit.report.overview import overview
from sitemapaudit.report.page import NAME as PAGE
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.sharding import WHOLE

UNREADABLE: Final = "unreadable"
_UNREADABLE: Final = (OSError, ValueError, TypeError, KeyError)

EARLIER: Final = 30
"""Runs before the newest that are looked at for one to compare with."""


@dataclass(slots=True)
class SiteRow:
    """A row for each site: what its newest run says, the worst first."""

    site: Annotated[str, "the folder that holds its runs"]
    run: Annotated[str, "its newest run folder, seen from the folder of the fleet"]
    started: Annotated[datetime | None, "when that run started"] = None
    status: Annotated[str, "how far it came; `unreadable` if its run.json cannot be read"] = ""
    complete: Annotated[bool, "whether all was looked at that was to be looked at"] = False
    reason: Annotated[str | None, "why not"] = None
    listed: Annotated[int, "listed URLs"] = 0
    known: Annotated[int, "those of which it is known whether they are indexable"] = 0
    indexable: Annotated[int, "those that are"] = 0
    share: Annotated[float | None, "of the known; null if nothing is known"] = None
    before: Annotated[
        float | None, "the same of the last complete run before, if it was asked for the same"
    ] = None
    change: Annotated[float | None, "how much the share has grown since"] = None
    errors: Annotated[int, "findings of this severity"] = 0
    warnings: Annotated[int, "the same"] = 0
    notices: Annotated[int, "the same"] = 0
    new: Annotated[int | None, "findings that are new, compared with the run before"] = None
    mended: Annotated[int | None, "findings that are mended"] = None
    report: Annotated[str | None, "its page, seen from the folder of the fleet"] = None

    @property
    def badness(self) -> tuple[bool, float, int, str]:
        """What sites are sorted by: nothing known, least indexable, most errors."""
        return self.share is not None, self.share or 0, -self.errors, self.site


@dataclass(slots=True, frozen=True)
class SharedRule:
    """A rule, on how many sites it is found, and how often."""

    rule: str
    severity: str
    title: str
    sites: int
    findings: int


@dataclass(slots=True)
class Fleet:
    """All sites of a folder, the worst first, and the rules that most of them share."""

    folder: Path
    sites: list[SiteRow] = field(default_factory=list)
    rules: list[SharedRule] = field(default_factory=list)

    @property
    def incomplete(self) -> list[SiteRow]:
        """The sites of which a part only is told."""
        return [site for site in self.sites if not site.complete]

    @property
    def worse(self) -> int:
        """How many sites have a smaller share than before."""
        return sum((site.change or 0) < 0 for site in self.sites)

    @property
    def better(self) -> int:
        """How many sites have a greater share than before."""
        return sum((site.change or 0) > 0 for site in self.sites)

    @property
    def indexable(self) -> int:
        """How many URLs of all sites are indexable."""
        return sum(site.indexable for site in self.sites)

    @property
    def known(self) -> int:
        """Of how many URLs of all sites that is known."""
        return sum(site.known for site in self.sites)

    @property
    def share(self) -> float | None:
        """The share of the indexable among these; None if nothing is known."""
        return self.indexable / self.known if self.known else None


def read_fleet(folder: Path) -> Fleet:
    """Read the newest run of every site in a folder, as AUDIT_DIR names it.

    The runs of a single site will do, too. Raises FileNotFoundError if there is no run.
    """
    if (folder / NAME).is_file():
        raise FileNotFoundError(f"{folder} is a run: give the folder that holds those of all sites")
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is no folder")
    fleet = Fleet(folder)
    sites, findings = Counter[str](), Counter[str]()
    for home in _homes(folder):
        newest = _newest(home)
        if newest is None:
            continue
        row, rules = _read(folder, home, newest)
        fleet.sites.append(row)
        sites.update(rules.keys())
        findings.update(rules)
    if not fleet.sites:
        raise FileNotFoundError(f"no run folder (one with {NAME}) below {folder}")
    fleet.sites.sort(key=lambda site: site.badness)
    fleet.rules = sorted(
        (_shared(rule, number, findings[rule]) for rule, number in sites.items()),
        key=lambda each: (-each.sites, -_rank(each.severity), -each.findings, each.rule),
    )
    return fleet


def _homes(folder: Path) -> list[Path]:
    """Return the folders that hold the runs of a site."""
    return [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]


def _runs(home: Path) -> Iterator[Path]:
    """Yield the runs in a folder, the newest first."""
    for run in sorted(home.iterdir(), reverse=True):
        if (run / NAME).is_file():
            yield run


def _newest(home: Path) -> Path | None:
    """Return the newest run in a folder; of a shard the run that it was merged into."""
    runs = _runs(home)
    newest = next(runs, None)
    if newest and _is_shard(_attempt(newest)):
        for run in islice(runs, EARLIER):
            merged = _attempt(run)
            if merged and newest.name in (shard.run for shard in merged.shards):
                return run
    return newest


def _attempt(run: Path) -> Manifest | None:
    """Return the manifest of a run, if it can be read."""
    try:
        return Manifest.read(run)
    except _UNREADABLE:
        return None


def _is_shard(manifest: Manifest | None) -> bool:
    return manifest is not None and manifest.arguments.get("shard") not in (str(WHOLE), "", None)


def _read(folder: Path, home: Path, run: Path) -> tuple[SiteRow, dict[str, int]]:
    row = SiteRow(_sayable(home.resolve().name), _sayable(run.relative_to(folder).as_posix()))
    row.report = f"{row.run}/{PAGE}" if (run / PAGE).is_file() else None
    try:
        manifest = Manifest.read(run)
        _fill(row, manifest, run)
        row.before = _share_before(manifest, (each for each in _runs(home) if each < run))
        rules = dict(manifest.rules)
    except (*_UNREADABLE, AttributeError):
        # A file of another program, or half of one: the other sites are told all the same.
        return SiteRow(row.site, row.run, None, UNREADABLE, reason=f"{NAME} cannot be read"), {}
    if row.share is not None and row.before is not None:
        row.change = row.share - row.before
    return row, rules


def _fill(row: SiteRow, manifest: Manifest, run: Path) -> None:
    answer = overview(manifest)
    row.started = datetime.fromisoformat(manifest.started)
    row.status = manifest.status
    built = table_file(run, "urls").exists()
    row.complete = manifest.complete and built and not _is_shard(manifest)
    row.reason = None if row.complete else _sayable(_reason(manifest, run))
    row.listed, row.known, row.indexable = answer.listed, answer.known, answer.indexable
    row.share = answer.share
    found = manifest.severities
    row.errors = found.get(Severity.ERROR, 0)
    row.warnings = found.get(Severity.WARNING, 0)
    row.notices = found.get(Severity.NOTICE, 0)
    row.new, row.mended = (manifest.changes.get(change) for change in ("new", "mended"))


def _reason(manifest: Manifest, run: Path) -> str:
    if manifest.status is Status.RUNNING:
        return "it is under way" if is_under_way(run) else "the run was cut short"
    if _is_shard(manifest) and manifest.complete:
        shard = manifest.arguments["shard"]
        return f"it is shard {shard} alone: merge the shards with scrapy report"
    return manifest.reason or "its tables are missing: build them with scrapy report"


def _share_before(manifest: Manifest, earlier: Iterable[Path]) -> float | None:
    """Return the share of the last complete run before that was asked for the same."""
    for before in map(_attempt, islice(earlier, EARLIER)):
        if before and before.complete and _asked(before) == _asked(manifest):
            return overview(before).share
    return None


def _asked(manifest: Manifest) -> dict[str, Any]:
    return {name: value for name, value in manifest.given.items() if name != "resume"}


def _shared(rule: str, sites: int, findings: int) -> SharedRule:
    known = catalogue().get(rule)
    severity, title = (str(known.severity), known.title()) if known else ("", "")
    return SharedRule(rule, severity, title, sites, findings)


def _rank(severity: str) -> int:
    return Severity(severity).rank if severity else -1


def _sayable(text: str) -> str:
    """Return a text as UTF-8 can say it: the name of a folder may hold any byte."""
    return text.encode(errors="replace").decode()
