"""Shared by many tests: rules by id, run folders from rows, commands and audits."""

import fcntl
import io
import json
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

from scrapy import cmdline

from sitemapaudit import Run, open_run
from sitemapaudit.audit import Audit
from sitemapaudit.cli import main as program
from sitemapaudit.cli import scrapy_crawl
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.items import (
    Entries,
    Entry,
    Finding,
    Kind,
    MediaFile,
    Page,
    Rendering,
    RenderReason,
    Robots,
    Role,
    Sitemap,
    Verdict,
)
from sitemapaudit.pages.links import NOFOLLOW, PageLinks, Target
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.runs.ledger.ledger import Ledger
from sitemapaudit.runs.ledger.link_log import LinkLog, LinkRecord
from sitemapaudit.runs.ledger.records import LinkedItem
from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.urls import digest, normalize
from sitemapaudit.verdicts import decide_verdict
from tests import warm

PROJECT = Path(__file__).parent.parent
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SITEMAP = "https://www.example.com/sitemap.xml"
TIMEOUT = 300
"""Seconds that a command may take."""

NO_RULES = dict.fromkeys(catalog(), "off")
"""For tests that check the tables of a run, and not its findings."""

QUICK = {"AUDIT_RULES": json.dumps(NO_RULES)}
"""The same as settings of ``crawl``."""

UNTIMED = {"AUDIT_SLOW_SECONDS": "0"}
"""How fast a website of the tests responds depends on the machine."""

RULES_OFF = f"AUDIT_RULES={QUICK['AUDIT_RULES']}"
"""The same as a setting of the command line."""


def found(rule: str, row: Any) -> list[Finding]:
    """Return the findings of one row rule on one row."""
    checker = catalog()[rule]()
    assert isinstance(checker, RowRule)
    return list(checker.check(row))


def severities(rule: str, row: Any) -> list[str]:
    """Return the severities of the findings of one row rule on one row."""
    return [finding.severity.value for finding in found(rule, row)]


def listed(*locs: str, sitemap: str = SITEMAP, kind: Kind = Kind.URLSET) -> Entries:
    """Return the entries of a sitemap that lists these locs."""
    rows = [
        Entry(sitemap, position, kind, loc, normalize(loc.strip()))
        for position, loc in enumerate(locs, start=1)
    ]
    return Entries(sitemap, rows)


def sitemap_of(entries: Entries) -> Sitemap:
    """Return the row of the sitemap that has these entries."""
    kind = entries.rows[0].kind
    return Sitemap(entries.sitemap, status=200, kind=kind, entries=len(entries.rows))


def fetched_page(url: str, status: int | None = 200, **values: Any) -> Page:
    """Return the row of a page that was fetched, with the verdict that its values give."""
    page = Page(url, values.pop("role", Role.LISTED), status=status, fetched_at=NOW, **values)
    page.verdict = decide_verdict(page)
    return page


def linked_page(url: str, *targets: str, nofollow: bool = False, **values: Any) -> LinkedItem[Page]:
    """Return a page that was read, with links to these URLs in its main part."""
    given = {"is_html": True, "noindex": False, "words": 200, "allowed": True, **values}
    flag = NOFOLLOW if nofollow else 0
    source, *found = (Target(digest(name).to_bytes(8, "big"), name) for name in (url, *targets))
    edges = b"".join(target.digest + bytes([flag]) for target in found)
    links = PageLinks(source, found, edges, given.pop("dropped", 0))
    if not {"nofollow", "none"}.isdisjoint(given.get("directives", ())):
        links.forbid_following()
    record = LinkRecord.of(links)
    return LinkedItem(fetched_page(url, given.pop("status", 200), **given), record)


def rendered(page: Page, verdict: Verdict | None = Verdict.INDEXABLE, **values: Any) -> Rendering:
    """Return the row of a rendering that changed only these values."""
    names = ("noindex", "canonical", "canonicals", "title", "h1", "words", "directives", "soft_404")
    same = {name: getattr(page, name) for name in names}
    end = {"status": 200, "final_url": page.url, "idle": True, "ended_at": NOW}
    links = {"links": 0, "links_added": 0, "links_removed": 0}
    return Rendering(
        page.url, RenderReason.ALWAYS, verdict=verdict, **{**same, **end, **links, **values}
    )


def build_run(
    folder: Path,
    items: Iterable[Robots | Sitemap | Entries | Page | Rendering | MediaFile | LinkedItem[Page]],
    *,
    rules: dict[str, str] | None = None,
    reason: str | None = None,
    similar: Mapping[str, int] | None = None,
    **arguments: Any,
) -> Run:
    """Build a run folder from items, as a crawl that read them would. No rule is checked."""
    audit = Audit(NO_RULES if rules is None else rules)
    ledger = Ledger(folder)
    links = LinkLog(folder) if arguments.get("links") in ("record", "crawl") else None
    for item in items:
        if isinstance(item, LinkedItem):
            if links is not None:
                links.write(item.links)
            item = item.item  # noqa: PLW2901 - the rest of it
        ledger.record(item, audit.examine(item))
    ledger.close()
    if links is not None:
        links.close()
    manifest = Manifest(
        {"agent": "Googlebot", "pages": "all", **arguments},
        {"AUDIT_SEED": 0},
        {},
        "2026-11-21T12:00:00Z",
        Status.INTERRUPTED if reason else Status.FINISHED,
        reason=reason,
        similar=dict(similar or {}),
    )
    build_tables(TableBuild([folder], folder, 256), manifest, audit)
    manifest.write(folder)
    return open_run(folder)


def build_audited_run(
    folder: Path,
    items: Iterable[Robots | Sitemap | Entries | Page | Rendering | MediaFile | LinkedItem[Page]],
    *,
    rules: dict[str, str] | None = None,
    **values: Any,
) -> Run:
    """Make a run folder from items, and check every rule."""
    return build_run(folder, items, rules=rules or {}, **values)


@dataclass(frozen=True)
class Audited:
    """An audit that ran in a process of its own: its status, its output and its run."""

    status: int
    output: str
    log: str
    audits: Path

    @property
    def run(self) -> Run:
        return open_run(self.audits)

    def findings(self) -> list[tuple[str, str]]:
        """Return the rule and the place of every finding."""
        frame = self.run.findings
        places = frame["url"].fillna(frame["sitemap"])
        return sorted(zip(frame["rule"], places, strict=True))


@contextmanager
def lock_as_another(run: Path, holder: str = "4321") -> Iterator[None]:
    """Lock a run folder as another process does."""
    (run / "log").mkdir(exist_ok=True)
    (run / "log" / "holder").write_text(holder)
    with (run / "log" / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def scrapy(
    *words: str,
    cwd: Path = PROJECT,
    environment: dict[str, str] | None = None,
    module: str = "scrapy",
) -> subprocess.CompletedProcess[str]:
    """Run a command of Scrapy in a process of its own."""
    return warm.run(module, words, own_environment() | (environment or {}), TIMEOUT, cwd)


def sitemapaudit(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program ``sitemapaudit`` in a process of its own."""
    return warm.run("sitemapaudit", words, own_environment(), TIMEOUT)


def run_in_process(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program ``sitemapaudit`` in this process; it must not start a crawl."""
    return _captured(words, lambda: program.main(words))


def check_crawl(*words: str) -> subprocess.CompletedProcess[str]:
    """Run ``scrapy crawl sitemap`` in this process, up to the point where the crawl starts."""
    command = ["scrapy", "crawl", "sitemap", *words]
    return _captured(command, lambda: cmdline.execute(command))


def _captured(
    words: Sequence[str], command: Callable[[], int | None]
) -> subprocess.CompletedProcess[str]:
    output, log = io.StringIO(), io.StringIO()
    started = AssertionError("the crawl would start")
    with (
        patch.dict(os.environ, {program.SETTINGS_VARIABLE: program.SETTINGS_MODULE}),
        patch.multiple(
            cmdline,
            AsyncCrawlerProcess=Mock(side_effect=started),
            CrawlerProcess=Mock(side_effect=started),
        ),
        patch.object(scrapy_crawl, "AsyncCrawlerProcess", Mock(side_effect=started)),
        redirect_stdout(output),
        redirect_stderr(log),
    ):
        try:
            status = command() or 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    return subprocess.CompletedProcess(words, status, output.getvalue(), log.getvalue())


def crawl(
    audits: Path,
    arguments: dict[str, str],
    settings: dict[str, str] | None = None,
    environment: dict[str, str] | None = None,
    module: str = "scrapy",
) -> Audited:
    """Audit a website on loopback, at full speed."""
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    chosen = {"AUDIT_DIR": str(audits), "AUDIT_SPEED": "full", "LOG_LEVEL": "INFO"}
    chosen |= UNTIMED | (settings or {})
    words += [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
    done = scrapy("crawl", "sitemap", *words, environment=environment, module=module)
    return Audited(done.returncode, done.stdout, done.stderr, audits)


def audit_demo(audits: Path, *words: str, site: str = "demo") -> Audited:
    """Audit the demo website."""
    settings = [f"AUDIT_DIR={audits}", *(f"{name}={value}" for name, value in UNTIMED.items())]
    given = [word for setting in settings for word in ("-s", setting)]
    done = scrapy("crawl", "sitemap", "-a", f"site={site}", *given, *words)
    return Audited(done.returncode, done.stdout, done.stderr, audits)


def own_environment() -> dict[str, str]:
    """Return the environment without proxies: the servers of tests are on loopback."""
    proxies = {"http_proxy", "https_proxy", "no_proxy", "all_proxy"}
    return {name: value for name, value in os.environ.items() if name.lower() not in proxies}
