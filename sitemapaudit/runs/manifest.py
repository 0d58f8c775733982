"""run.json: the arguments and settings of a run, how it ended, and its counts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

import msgspec

from sitemapaudit import urls
from sitemapaudit.items import Severity, Verdict
from sitemapaudit.numbers import percent
from sitemapaudit.runs.cause import Cause, CauseKind
from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.runs.compared_canonicals import ComparedCanonicals
from sitemapaudit.runs.durable import sync_file, sync_folder
from sitemapaudit.runs.file_kinds import check_files
from sitemapaudit.runs.likely_cause import LikelyCause
from sitemapaudit.runs.link_counts import LinkCounts
from sitemapaudit.runs.repair_counts import RepairCount
from sitemapaudit.runs.reused_run import ReusedRun
from sitemapaudit.runs.sample import Sample
from sitemapaudit.runs.share import Share
from sitemapaudit.schema_version import SCHEMA_VERSION
from sitemapaudit.urls.shard import WHOLE, Shard

NAME: Final = "run.json"
DEMO, DEMO_LATER = "demo", "demo-later"
"""The names of the demo website, which stand for a site."""


TABLES: Final = "tables"
"""The name of the tables among ``failed_formats``."""

UNKNOWN_VERDICT: Final = "unknown"
"""The name under which null verdicts for an agent are counted."""

FIRST_EDITION: Final = "1"
"""The edition of a built-in rule whose version was never raised."""

COMPLETE, FOUND, INCOMPLETE = 0, 1, 3
"""Exit statuses of an audit; 2 is for wrong arguments."""


class Status(StrEnum):
    """The state of a run."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(slots=True)
class ShardRun:
    """A shard of a merged run, its run folder, and how it ended.

    ``damage`` counts the unreadable lines of its ledger that were needed, per table.
    """

    shard: str
    run: str
    status: Status
    reason: str | None = None
    damage: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Manifest:
    """The manifest of a run folder.

    ``complete`` says whether everything was checked, and ``reason`` why not. The counts are those
    of the tables: ``rows`` per table, ``verdicts``, ``skipped`` per skip reason, ``severities`` and
    ``rules`` per finding.

    ``readable_sitemaps`` counts the sitemaps that could be read, ``unread_sitemaps`` those that can
    list URLs that are not known: a limit skipped them, they were partly read, or they failed
    (``failed_sitemaps``). ``sites_without_sitemap`` are those of several sites. ``unchecked_urls``
    counts the listed URLs that should have been fetched and were not. ``limits`` counts how many
    sitemaps, listed and linked URLs, images and videos each limit skipped, ``unchecked_because``
    the listed URLs that were not checked for other reasons. ``unanswered`` has the verdicts of the
    listed pages if none of them could be read. ``read_pages`` counts the listed HTML pages that
    were read, ``script_pages`` those that have scripts, almost no text, and were not rendered.
    ``rendered_pages`` counts listed pages that the browser opened, ``failed_renderings`` those
    where it failed. ``causes`` says what is missing and what to do, the most important first:
    ``reason`` and ``remedy`` are made of them. ``compared_agents`` has the responses to a browser's
    User-Agent where access was denied, ``compared_canonicals`` the crawlers that get a canonical in
    the head, ``set_aside`` counts ignored blocks of staging (``robots``, ``headers``) and texts
    with its own addresses that were read as those of the site (``addresses``). ``unfollowed``
    counts the linked URLs and the unlisted pages of a build that were not fetched, by setting,
    ``unchecked_media`` the images and videos; ``similar`` counts the linked URLs of
    AUDIT_MAX_SIMILAR, by shape. ``waiting_links`` counts the URLs of a merged run that other shards
    found for their owners. Links to hosts of ``link_domains`` were recorded.

    ``checked_rules`` are the rules that were on and that the arguments allow to find something,
    ``rule_editions`` has the editions of those that changed, and of the user's own.
    ``broken_rules`` counts failures of rules. ``failed_formats`` has the reason per result that
    could not be written: a format of AUDIT_FORMATS, the tables, ``comparison``, ``report.html``.
    ``changes`` counts the differences from the previous run, ``compared_with``. ``resumed`` has the
    times at which the run was resumed. ``first_addresses`` has the private addresses that the names
    of audited hosts had when the run began, none for a public host. ``damage`` counts the rows per
    table that the ledger lost, None if the number is unknown, ``repaired_damage`` those that were
    fetched again since, and ``ledger_rows`` the rows that the ledger had when the run ended.
    ``refused`` counts the responses per status (429, 503) that asked to wait, ``rested`` the
    seconds that hosts rested for that. ``repairs`` counts what a repair would do: how many URLs are
    ``dropped`` and ``replaced``, of how many ``listed`` ones, and how many entries ``without_url``
    are removed; ``repairs_by_verdict`` counts the URLs for each verdict. ``links`` has the counts
    of a run that recorded links. ``agents`` counts the verdicts for each of several agents.
    ``request_digest`` is equal in runs whose requests had the same headers, and ``reused`` says
    what was reused from an earlier run. ``shards`` are the shards that the run was merged from.
    ``sample`` has the estimates from a sample. ``generators`` counts
    the pages that name each generator; if none names a known one, the sitemaps that show one, or
    ``build_generator``, which files of a build or of its project show. ``likely_causes`` are the
    causes that many findings share. ``preset`` names the generator of a build if its hosting has
    own rules for that, ``deployment_fault`` the rule for which its hosting refuses to publish it.
    ``gate`` is what a gate decided about the run: ``passed`` or ``failed``. ``postponed`` says that
    the results were not built: whether the run is complete is not known. ``set_by`` names the place
    that set an argument or a setting; the others have their defaults.
    ``schema_version`` is that of the run's files.
    """

    arguments: dict[str, Any]
    settings: dict[str, Any]
    versions: dict[str, str]
    started: str
    status: Status = Status.RUNNING
    complete: bool = False
    reason: str | None = None
    finished: str | None = None
    job: str | None = None
    readable_sitemaps: int = 0
    unread_sitemaps: int = 0
    failed_sitemaps: int = 0
    sites_without_sitemap: list[str] = field(default_factory=list)
    unchecked_urls: int = 0
    unchecked_because: dict[str, int] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    unanswered: dict[str, int] = field(default_factory=dict)
    read_pages: int = 0
    script_pages: int = 0
    rendered_pages: int = 0
    failed_renderings: int = 0
    causes: list[Cause] = field(default_factory=list)
    remedy: str | None = None
    compared_agents: list[ComparedAgents] = field(default_factory=list)
    compared_canonicals: list[ComparedCanonicals] = field(default_factory=list)
    set_aside: dict[str, int] = field(default_factory=dict)
    unfollowed: dict[str, int] = field(default_factory=dict)
    unchecked_media: dict[str, int] = field(default_factory=dict)
    similar: dict[str, int] = field(default_factory=dict)
    waiting_links: int = 0
    link_domains: list[str] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)
    severities: dict[str, int] = field(default_factory=dict)
    rules: dict[str, int] = field(default_factory=dict)
    checked_rules: list[str] = field(default_factory=list)
    rule_editions: dict[str, str] = field(default_factory=dict)
    broken_rules: dict[str, int] = field(default_factory=dict)
    resumed: list[str] = field(default_factory=list)
    first_addresses: dict[str, list[str]] = field(default_factory=dict)
    damage: dict[str, int | None] = field(default_factory=dict)
    ledger_rows: dict[str, int] = field(default_factory=dict)
    repaired_damage: dict[str, int] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)
    rested: float = 0.0
    compared_with: str | None = None
    changes: dict[str, int] = field(default_factory=dict)
    repairs: dict[str, int] = field(default_factory=dict)
    repairs_by_verdict: list[RepairCount] = field(default_factory=list)
    links: LinkCounts | None = None
    agents: dict[str, dict[str, int]] = field(default_factory=dict)
    request_digest: str | None = None
    reused: ReusedRun | None = None
    failed_formats: dict[str, str] = field(default_factory=dict)
    shards: list[ShardRun] = field(default_factory=list)
    sample: Sample | None = None
    generators: dict[str, int] = field(default_factory=dict)
    likely_causes: list[LikelyCause] = field(default_factory=list)
    preset: str | None = None
    build_generator: str | None = None
    deployment_fault: str | None = None
    gate: str | None = None
    postponed: bool = False
    set_by: dict[str, str] = field(default_factory=dict)
    schema_version: int = SCHEMA_VERSION

    @property
    def staging(self) -> dict[str, str]:
        """The origin that was requested for each origin of the site; a live host is its own."""
        return {site: origin for site, origin in self._staging_pairs() if site}

    @property
    def staging_origins(self) -> list[str]:
        """The origins that were requested instead of the site's."""
        return sorted({origin for site, origin in self._staging_pairs() if origin != site})

    def _staging_pairs(self) -> Iterator[tuple[str, str]]:
        given = str(self.arguments.get("staging") or "")
        for word in filter(None, given.split(",")):
            site, _, origin = word.rpartition("=")
            yield site, origin

    @property
    def build_hosts(self) -> list[str]:
        """The hosts of the site, with their ports, if a build folder was audited in its place."""
        return sorted({urls.authority(url) for url in self._build_urls()})

    @property
    def build_path(self) -> str:
        """The path at which a build is published, without a slash at its end; "" is the root."""
        paths = (urls.path(url).rstrip("/") for url in self._build_urls("site"))
        return next(paths, "")

    def _build_urls(self, *names: str) -> Iterator[str]:
        """Yield the URLs that the arguments name, if a build folder was audited."""
        for name in (names or ("site", "sitemap")) if self.arguments.get("folder") else ():
            given = self.arguments.get(name) or ()
            for word in given.split(",") if isinstance(given, str) else given:
                text = str(word).strip()
                url = urls.normalize(text if "://" in text else f"https://{text}")
                if url is not None:
                    yield url

    @property
    def reads_sitemaps(self) -> bool:
        """True unless a list of URLs was audited without sitemaps."""
        return not self.arguments.get("urls")

    @property
    def is_demo(self) -> bool:
        """True for an audit of the demo website that misses only what fails there on purpose."""
        if self.arguments.get("site") not in (DEMO, DEMO_LATER):
            return False
        planted = {CauseKind.FAILED_SITEMAPS}
        return self.status is Status.FINISHED and {cause.kind for cause in self.causes} == planted

    @classmethod
    def read(cls, run: Path) -> Self:
        """Read the manifest of a run folder; raises OSError, or ValueError with a sentence.

        Every use of a run begins with this: RunFileError, a ValueError, says that something in
        place of one of its files is not a file.
        """
        check_files(run)
        try:
            return cls.parse((run / NAME).read_bytes())
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{run / NAME} cannot be read: {error}") from error

    @classmethod
    def parse(cls, text: bytes) -> Self:
        """Parse a manifest; raises ValueError. Unknown keys belong to a later version."""
        manifest = msgspec.json.decode(text, type=cls)
        if manifest.schema_version > SCHEMA_VERSION:
            raise ValueError(
                f"its schema_version is {manifest.schema_version}, and this version of sitemapaudit"
                f" reads {SCHEMA_VERSION}: update sitemapaudit"
            )
        return manifest

    def write(self, run: Path) -> None:
        """Write the manifest atomically: readers find the old one or the new one."""
        share = msgspec.to_builtins(self.share.summary())
        values = msgspec.to_builtins(self, enc_hook=str) | {"share": share}
        draft = run / f"{NAME}.new"
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(values), indent=2) + b"\n")
        sync_file(draft)
        draft.replace(run / NAME)
        sync_folder(run)

    def rule_edition(self, rule: str) -> str | None:
        """Return the edition of a rule that checked the run; None if it did not."""
        return self.rule_editions.get(rule, FIRST_EDITION) if rule in self.checked_rules else None

    @property
    def finding_count(self) -> int:
        """The number of findings; a row of the table ``findings`` can stand for several."""
        return sum(self.severities.values())

    @property
    def given(self) -> dict[str, Any]:
        """The arguments that have a value."""
        return {name: value for name, value in self.arguments.items() if value not in ("", None)}

    @property
    def share(self) -> Share:
        """The share of indexable URLs, from the counts; run.json contains it for readers."""
        counted = Share.of(self.verdicts, self.unchecked_urls)
        return replace(counted, sample=self.sample, unread_sitemaps=self.unread_sitemaps)

    @property
    def any_indexable(self) -> bool:
        """True if a listed URL is known to be indexable."""
        return self.verdicts.get(Verdict.INDEXABLE, 0) > 0

    def mark_resumed(self, moment: datetime, job: str | None) -> None:
        """Record that the run is running again."""
        self.status, self.reason, self.finished = Status.RUNNING, None, None
        self.gate = self.reused = self.remedy = None
        self.postponed = False
        self.causes, self.unfollowed, self.unchecked_media, self.similar = [], {}, {}, {}
        self.ledger_rows = {}  # Pages that are fetched again can be different now.
        self.resumed.append(format_timestamp(moment))
        self.job = job or self.job

    def record_repair(self, unreadable: Mapping[str, int]) -> None:
        """Record that lost rows are fetched again: ``lines``, and known damage."""
        known = Counter({table: lost for table, lost in self.damage.items() if lost})
        lost = known | Counter(unreadable)
        self.repaired_damage = dict(Counter(self.repaired_damage) + lost)
        self.damage = {}

    def mark_interrupted(self, moment: datetime) -> None:
        """Record that the run was interrupted, unless it says how it ended."""
        if self.status is Status.RUNNING:
            self.status = Status.INTERRUPTED
            self.reason = "the run was interrupted"
            self.finished = format_timestamp(moment)

    def decide_complete(self, causes: Sequence[Cause]) -> None:
        """Decide whether a run is complete: a finished run is, if nothing is missing.

        A run that was stopped has a ``reason`` and a ``remedy`` already.
        """
        self.causes = [*causes]
        if self.status is Status.FINISHED:
            self.reason = "; ".join(cause.reason for cause in causes) or None
            remedies = dict.fromkeys(cause.remedy for cause in causes if cause.remedy)
            self.remedy = "; ".join(remedies) or None
        self.complete = self.reason is None and self.status is Status.FINISHED

    def exit_status(self, fail_on: str, *, zero: bool = False) -> int:
        """Return the exit status of the audit; ``fail_on`` is AUDIT_FAIL_ON.

        ``zero`` is AUDIT_EXIT_ZERO: 0 for every run that reached its end and has tables. A merged
        run without all its shards did not.
        """
        lacks_parts = TABLES in self.failed_formats or any(self.missing_shards())
        if self.postponed and self.status is Status.FINISHED:
            return COMPLETE
        if zero and self.status is Status.FINISHED and not lacks_parts:
            return COMPLETE
        if not (self.complete or self.is_demo) or self.failed_formats:
            return INCOMPLETE
        if fail_on == "never":
            return COMPLETE
        minimum = Severity(fail_on).rank
        severe = any(Severity(found).rank >= minimum for found in self.severities)
        return FOUND if severe else COMPLETE

    def describe_damage(self) -> str:
        """Describe what the ledger lost."""
        lost = ", ".join(
            f"all of {table}" if number is None else f"{number:,} of {table}"
            for table, number in self.damage.items()
        )
        return f"the ledger lost rows: {lost}"

    @property
    def shard(self) -> Shard:
        """The shard of an audit that this run is; all of it, if it has one run."""
        return Shard.read(str(self.arguments.get("shard") or WHOLE))

    def missing_shards(self) -> Iterator[str]:
        """Describe which shards a merged run lacks."""
        if not self.shards:
            return
        present = [Shard.read(each.shard) for each in self.shards]
        count = present[0].count
        missing = sorted(set(range(1, count + 1)) - {shard.index for shard in present})
        if missing:
            names = " and ".join(", ".join(map(str, missing)).rsplit(", ", 1))
            verb = "s {} of {} are" if len(missing) > 1 else " {} of {} is"
            share = f"about {percent(len(missing) / count, ' ')} of the URLs were not fetched"
            yield f"shard{verb.format(names, count)} missing: {share}"


def format_timestamp(moment: datetime) -> str:
    """Return a time in UTC in the format of the manifest."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
