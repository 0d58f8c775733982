"""Reads a fleet: the manifest of the newest ended run of each site, the worst site first.

Only manifests are read, one at a time: one row per site is kept in memory.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

from sitemapaudit.items import Severity
from sitemapaudit.report.report_page import NAME as PAGE
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.runs.file_kinds import RunFileError
from sitemapaudit.runs.folders import is_running, table_file
from sitemapaudit.runs.manifest import NAME, Manifest, Status
from sitemapaudit.runs.share import Share
from sitemapaudit.urls.shard import WHOLE

UNREADABLE: Final = "unreadable"
_UNREADABLE: Final = (OSError, ValueError, TypeError, KeyError)

MAX_EARLIER: Final = 30
"""Limit for earlier runs that are searched for one to compare with."""


@dataclass(slots=True)
class FleetSite:
    """A row per site, from its newest run that has ended; the worst first."""

    site: Annotated[str, "name of the folder that contains the runs of the site"]
    run: Annotated[
        str,
        "the folder of that run, relative to the folder of the fleet;"
        " a run that is still running is only named if no other has ended",
    ]
    started: Annotated[datetime | None, "when that run started"] = None
    status: Annotated[str, "status of that run; `unreadable` if its run.json cannot be read"] = ""
    complete: Annotated[bool, "whether everything was checked"] = False
    reason: Annotated[str | None, "why the run is incomplete"] = None
    listed: Annotated[int, "listed URLs"] = 0
    known: Annotated[int, "listed URLs with a known state, indexable or not"] = 0
    indexable: Annotated[int, "listed URLs that are indexable"] = 0
    undetermined: Annotated[
        int, "listed URLs that could not be determined: blocked, unreachable, denied or unchecked"
    ] = 0
    share: Annotated[
        float | None,
        "`indexable` divided by `known`, or the estimate of a sample; null if `known` is 0",
    ] = None
    previous_share: Annotated[
        float | None, "the share in the previous complete run with the same arguments"
    ] = None
    share_change: Annotated[float | None, "the difference from the previous share"] = None
    errors: Annotated[int, "findings with severity error"] = 0
    warnings: Annotated[int, "findings with severity warning"] = 0
    notices: Annotated[int, "findings with severity notice"] = 0
    new: Annotated[int | None, "new findings since the previous run"] = None
    fixed: Annotated[int | None, "fixed findings since the previous run"] = None
    report: Annotated[str | None, "its report, relative to the folder of the fleet"] = None

    @property
    def sort_key(self) -> tuple[bool, float, int, str]:
        """Sorts the worst site first: nothing known, lowest share, most errors."""
        return self.share is not None, self.share or 0, -self.errors, self.site


@dataclass(slots=True, frozen=True)
class SharedRule:
    """A rule, the number of sites that break it, and its findings."""

    rule: str
    severity: str
    title: str
    sites: int
    findings: int


@dataclass(slots=True)
class Fleet:
    """All sites of a folder, the worst first, and the rules that most sites break."""

    folder: Path
    sites: list[FleetSite] = field(default_factory=list)
    rules: list[SharedRule] = field(default_factory=list)
    undetermined: Counter[str] = field(default_factory=Counter)
    """The URLs of all sites that could not be determined, per verdict."""

    @property
    def incomplete(self) -> list[FleetSite]:
        """The sites with an incomplete run."""
        return [site for site in self.sites if not site.complete]

    @property
    def worse(self) -> int:
        """The number of sites with a smaller share than before."""
        return sum((site.share_change or 0) < 0 for site in self.sites)

    @property
    def better(self) -> int:
        """The number of sites with a larger share than before."""
        return sum((site.share_change or 0) > 0 for site in self.sites)

    @property
    def counts(self) -> Share:
        """The share of indexable URLs of all sites together."""
        indexable = sum(site.indexable for site in self.sites)
        judged = sum(site.known for site in self.sites)
        return Share(indexable, judged, dict(self.undetermined))


def read_fleet(folder: Path) -> Fleet:
    """Read the newest ended run of every site in a folder such as AUDIT_DIR.

    The folder of a single site works too. Raises FileNotFoundError if there is no run.
    """
    if (folder / NAME).is_file():
        raise FileNotFoundError(
            f"{folder} is a run: name the folder that contains the runs of all sites"
        )
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is not a folder")
    fleet = Fleet(folder)
    sites, findings = Counter[str](), Counter[str]()
    for home in _site_folders(folder):
        newest = _newest(home)
        if newest is None:
            continue
        row, manifest = _read_site(folder, home, newest)
        fleet.sites.append(row)
        if manifest:
            sites.update(manifest.rules.keys())
            findings.update(manifest.rules)
            fleet.undetermined.update(manifest.share.undetermined)
    if not fleet.sites:
        raise FileNotFoundError(f"no run folder (one with {NAME}) below {folder}")
    fleet.sites.sort(key=lambda site: site.sort_key)
    fleet.rules = sorted(
        (_shared_rule(rule, count, findings[rule]) for rule, count in sites.items()),
        key=lambda each: (-each.sites, -_rank(each.severity), -each.findings, each.rule),
    )
    return fleet


def _site_folders(folder: Path) -> list[Path]:
    """Return the folders that may contain the runs of a site."""
    return [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]


def _runs(home: Path) -> Iterator[Path]:
    """Yield the runs in a folder, the newest first."""
    for run in sorted(home.iterdir(), reverse=True):
        if (run / NAME).is_file():
            yield run


def _newest(home: Path) -> Path | None:
    """Return the newest run that has ended; the newest one if none has.

    For a shard, that is the run that it was merged into.
    """
    runs = [*islice(_runs(home), MAX_EARLIER)]
    newest = next((run for run in runs if not _still_runs(run)), runs[0] if runs else None)
    if newest and _is_shard(_try_manifest(newest)):
        for run in runs:
            merged = _try_manifest(run)
            if merged and newest.name in (shard.run for shard in merged.shards):
                return run
    return newest


def _still_runs(run: Path) -> bool:
    manifest = _try_manifest(run)
    return manifest is not None and manifest.status is Status.RUNNING and is_running(run)


def _try_manifest(run: Path) -> Manifest | None:
    """Return the manifest of a run; None if it is unreadable."""
    try:
        return Manifest.read(run)
    except _UNREADABLE:
        return None


def _is_shard(manifest: Manifest | None) -> bool:
    return manifest is not None and manifest.arguments.get("shard") not in (str(WHOLE), "", None)


def _read_site(folder: Path, home: Path, run: Path) -> tuple[FleetSite, Manifest | None]:
    row = FleetSite(_encodable(home.resolve().name), _encodable(run.relative_to(folder).as_posix()))
    row.report = f"{row.run}/{PAGE}" if (run / PAGE).is_file() else None
    try:
        manifest = Manifest.read(run)
        _fill(row, manifest, run)
        row.previous_share = _previous_share(manifest, (each for each in _runs(home) if each < run))
    except (*_UNREADABLE, AttributeError) as error:
        # A file of another program, or an unfinished file, must not hide the other sites.
        reason = str(error) if isinstance(error, RunFileError) else f"{NAME} cannot be read"
        return FleetSite(row.site, row.run, None, UNREADABLE, reason=_encodable(reason)), None
    if row.complete and row.share is not None and row.previous_share is not None:
        row.share_change = row.share - row.previous_share
    return row, manifest


def _fill(row: FleetSite, manifest: Manifest, run: Path) -> None:
    share = manifest.share
    row.started = datetime.fromisoformat(manifest.started)
    row.status = manifest.status
    built = table_file(run, "urls").exists()
    row.complete = manifest.complete and built and not _is_shard(manifest)
    row.reason = None if row.complete else _encodable(_reason(manifest, run))
    row.listed = manifest.rows.get("urls", 0)
    row.known, row.indexable, row.undetermined = share.judged, share.indexable, share.unknown
    row.share = share.best_value
    found = manifest.severities
    row.errors = found.get(Severity.ERROR, 0)
    row.warnings = found.get(Severity.WARNING, 0)
    row.notices = found.get(Severity.NOTICE, 0)
    row.new, row.fixed = (manifest.changes.get(change) for change in ("new", "fixed"))


def _reason(manifest: Manifest, run: Path) -> str:
    if manifest.status is Status.RUNNING:
        return "the run is still running" if is_running(run) else "the run was interrupted"
    if _is_shard(manifest) and manifest.complete:
        shard = manifest.arguments["shard"]
        return f"it is only shard {shard}: merge the shards with sitemapaudit report"
    return manifest.reason or "its tables are missing: build them with sitemapaudit report"


def _previous_share(manifest: Manifest, earlier: Iterable[Path]) -> float | None:
    """Return the share in the previous complete run with the same arguments."""
    for previous in map(_try_manifest, islice(earlier, MAX_EARLIER)):
        if previous and previous.complete and _arguments(previous) == _arguments(manifest):
            return previous.share.best_value
    return None


def _arguments(manifest: Manifest) -> dict[str, Any]:
    return {name: value for name, value in manifest.given.items() if name != "resume"}


def _shared_rule(rule: str, sites: int, findings: int) -> SharedRule:
    known = catalog().get(rule)
    severity, title = (str(known.severity), known.title()) if known else ("", "")
    return SharedRule(rule, severity, title, sites, findings)


def _rank(severity: str) -> int:
    return Severity(severity).rank if severity else -1


def _encodable(text: str) -> str:
    """Return a text that UTF-8 can encode: the name of a folder may contain any bytes."""
    return text.encode(errors="replace").decode()
