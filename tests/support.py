"""What many tests need: rules by id, run folders from rows, audits in a process of their own."""

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sitemapaudit import Run, open_run
from sitemapaudit.audit import Audit
from sitemapaudit.datasets.ledger import Ledger
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.items import (
    Entries,
    Entry,
    Finding,
    Kind,
    Page,
    Reason,
    Rendering,
    Robots,
    Role,
    Sitemap,
    Verdict,
)
from sitemapaudit.pages.verdict import judge
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.urls import normalise
from tests import warm

PROJECT = Path(__file__).parent.parent
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SITEMAP = "https://www.example.com/sitemap.xml"
PATIENCE = 300
"""Seconds that a command may take."""

NO_RULES = dict.fromkeys(catalogue(), "off")
"""Of runs whose tables a test is about, and not what is found in them."""

tested: str | None = None
"""The only rule that the runs of a test are judged by, where it is about one."""


def found(rule: str, row: Any) -> list[Finding]:
    """Return what one row rule finds on one row."""
    checker = catalogue()[rule]()
    assert isinstance(checker, RowRule)
    return list(checker.check(row))


def severities(rule: str, row: Any) -> list[str]:
    """Return the severities of what one row rule finds on one row."""
    return [finding.severity.value for finding in found(rule, row)]


def listed(*locs: str, sitemap: str = SITEMAP, kind: Kind = Kind.URLSET) -> Entries:
    """Return the entries of a sitemap that lists these locs."""
    rows = [
        Entry(sitemap, position, kind, loc, normalise(loc.strip()))
        for position, loc in enumerate(locs, start=1)
    ]
    return Entries(sitemap, rows)


def answered(url: str, status: int | None = 200, **values: Any) -> Page:
    """Return the row of a page, with the verdict that its values give."""
    page = Page(url, values.pop("role", Role.LISTED), status=status, fetched_at=NOW, **values)
    page.verdict = judge(page)
    return page


def rendered(page: Page, verdict: Verdict | None = Verdict.INDEXABLE, **values: Any) -> Rendering:
    """Return the row of a rendering that changed nothing but these values."""
    names = ("noindex", "canonical", "canonicals", "title", "h1", "words", "directives", "soft_404")
    same = {name: getattr(page, name) for name in names}
    where = {"status": 200, "final_url": page.url, "settled": True}
    links = {"links": 0, "links_added": 0, "links_removed": 0}
    return Rendering(
        page.url, Reason.ALWAYS, verdict=verdict, **{**same, **where, **links, **values}
    )


def build_run(
    folder: Path,
    items: Iterable[Robots | Sitemap | Entries | Page | Rendering],
    *,
    rules: dict[str, str] | None = None,
    reason: str | None = None,
    **arguments: Any,
) -> Run:
    """Make a run folder from items, as a crawl that established them would have."""
    others = [rule for rule in catalogue() if tested is not None and rule != tested]
    audit = Audit(dict.fromkeys(others, "off") | (rules or {}))
    ledger = Ledger(folder)
    for item in items:
        ledger.append(item)
        ledger.extend(audit.examine(item))
    ledger.close()
    manifest = Manifest(
        {"agent": "Googlebot", "pages": "all", **arguments},
        {"AUDIT_SEED": 0},
        {},
        "2026-11-21T12:00:00Z",
        Status.INTERRUPTED if reason else Status.FINISHED,
        reason=reason,
    )
    build_tables(Build([folder], folder, 256), manifest, audit)
    manifest.write(folder)
    return open_run(folder)


def rule_on(run: Run, rule: str) -> list[tuple[str | None, str, str]]:
    """Return URL, severity and message of each finding of one rule."""
    rows = run.findings[run.findings["rule"] == rule].sort_values(["url", "position"])
    return list(zip(rows["url"].astype(object), rows["severity"], rows["message"], strict=True))


@dataclass(frozen=True)
class Audited:
    """What an audit in a process of its own left behind."""

    status: int
    output: str
    log: str
    audits: Path

    @property
    def run(self) -> Run:
        return open_run(self.audits)

    def findings(self) -> list[tuple[str, str]]:
        """Return rule and place of every finding."""
        frame = self.run.findings
        places = frame["url"].fillna(frame["sitemap"])
        return sorted(zip(frame["rule"], places, strict=True))


def scrapy(
    *words: str, cwd: Path = PROJECT, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of the project; in a new interpreter if its surroundings are special."""
    if cwd == PROJECT and not environment:
        return warm.run(words, own_environment(), PATIENCE)
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *words],
        cwd=cwd,
        env=own_environment() | (environment or {}),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def crawl(
    audits: Path,
    arguments: dict[str, str],
    settings: dict[str, str] | None = None,
    environment: dict[str, str] | None = None,
) -> Audited:
    """Audit a website on loopback, at full speed."""
    words = [word for name, value in arguments.items() for word in ("-a", f"{name}={value}")]
    chosen = {"AUDIT_DIR": str(audits), "AUDIT_SPEED": "full", **(settings or {})}
    words += [word for name, value in chosen.items() for word in ("-s", f"{name}={value}")]
    done = scrapy("crawl", "sitemap", *words, environment=environment)
    return Audited(done.returncode, done.stdout, done.stderr, audits)


def audit_demo(audits: Path, *words: str, site: str = "demo") -> Audited:
    """Audit the demo website."""
    done = scrapy("crawl", "sitemap", "-a", f"site={site}", "-s", f"AUDIT_DIR={audits}", *words)
    return Audited(done.returncode, done.stdout, done.stderr, audits)


def own_environment() -> dict[str, str]:
    """Return the environment without proxies: servers under test are on loopback."""
    proxies = {"http_proxy", "https_proxy", "no_proxy", "all_proxy"}
    return {name: value for name, value in os.environ.items() if name.lower() not in proxies}
