"""Run folders from rows."""

import atexit
import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from tempfile import mkdtemp
from typing import Any

from sitemapaudit import Run, open_run
from sitemapaudit.audit import Audit
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.items import (
    Entries,
    MediaFile,
    Page,
    Rendering,
    Robots,
    Sitemap,
)
from sitemapaudit.runs.folder_names import FOLDER as LEDGER
from sitemapaudit.runs.ledger.ledger import Ledger
from sitemapaudit.runs.ledger.link_log import LinkLog
from sitemapaudit.runs.ledger.records import ReadItem
from sitemapaudit.runs.manifest import Manifest, Status
from tests.support.settings import NO_RULES


def build_run(
    folder: Path,
    items: Iterable[Robots | Sitemap | Entries | Page | Rendering | MediaFile | ReadItem[Page]],
    /,
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
        if isinstance(item, ReadItem):
            if links is not None and item.links is not None:
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
    build = _digest(folder, repr((rules, reason, similar, sorted(arguments.items()))))
    known = _builds() / build
    if _shares_builds.get() and known.exists():
        copytree(known, folder, dirs_exist_ok=True)
        return open_run(folder)
    build_tables(TableBuild([folder], folder, 256), manifest, audit)
    manifest.write(folder)
    if _shares_builds.get():
        copytree(folder, known, ignore=ignore_patterns(LEDGER))
    return open_run(folder)


@contextmanager
def build_each_run() -> Iterator[None]:
    """Let a test that changes the product share no tables with other tests."""
    token = _shares_builds.set(False)
    try:
        yield
    finally:
        _shares_builds.reset(token)


_shares_builds = ContextVar("_shares_builds", default=True)


@cache
def _builds() -> Path:
    """Return the folder of the tables that this process has built: many tests need the same."""
    folder, owner = Path(mkdtemp()), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # Its forks leave it.
            rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def _digest(folder: Path, settings: str) -> str:
    """Return a digest of the ledger in a folder, and of what else its tables depend on."""
    digest = sha256(settings.encode())
    for file in sorted((folder / LEDGER).iterdir()):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def build_audited_run(
    folder: Path,
    items: Iterable[Robots | Sitemap | Entries | Page | Rendering | MediaFile | ReadItem[Page]],
    *,
    rules: dict[str, str] | None = None,
    **values: Any,
) -> Run:
    """Make a run folder from items, and check every rule."""
    return build_run(folder, items, rules=rules or {}, **values)


@contextmanager
def lock_as_another(run: Path, holder: str = "4321") -> Iterator[None]:
    """Lock a run folder as another process does."""
    (run / "log").mkdir(exist_ok=True)
    (run / "log" / "holder").write_text(holder)
    with (run / "log" / "lock").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield


def mark_running(run: Path) -> None:
    """Make the manifest of a run look like that of a killed run."""
    manifest = Manifest.read(run)
    manifest.status, manifest.finished = Status.RUNNING, None
    manifest.write(run)
