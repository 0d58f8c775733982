"""Runs that lie elsewhere, or that are shards of one audit → one run folder here."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sitemapaudit.audit import Audit
from sitemapaudit.config import Config
from sitemapaudit.datasets.folders import find_run, folder_name, is_under_way, lock_run
from sitemapaudit.datasets.ledger import ledger_file
from sitemapaudit.datasets.manifest import NAME, Manifest, Status, timestamp
from sitemapaudit.datasets.merging import merge
from sitemapaudit.datasets.schema import LEDGER_TABLES
from sitemapaudit.datasets.shards import Part, check, merged_manifest
from sitemapaudit.datasets.stores import Store, is_remote
from sitemapaudit.sharding import WHOLE

_FETCHED: Final = "fetched"
"""The folder within a run folder that holds ledgers of other machines; removed at the end."""


@dataclass(slots=True, frozen=True)
class Source:
    """A run that is to be taken in, and where it lies."""

    part: Part
    place: Path | Store

    def copy_ledger(self, into: Path) -> None:
        """Copy the ledger into another run folder."""
        if isinstance(self.place, Store):
            self.place.copy_ledger(into)
            return
        for table in LEDGER_TABLES:
            file = ledger_file(self.place, table)
            if file.exists():
                shutil.copyfile(file, ledger_file(into, table))


@dataclass(slots=True, frozen=True)
class Collection:
    """The runs, which can be taken together, and the run folder that is to hold them."""

    sources: Sequence[Source]
    into: Path

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the audit."""
        return self.sources[0].part.manifest.settings

    def unite(self, audit: Audit) -> Manifest:
        """Write the ledger; return the manifest of what is to be made of it. Raises OSError."""
        self.into.mkdir(parents=True, exist_ok=True)
        fetched = self.into / _FETCHED
        lock = lock_run(self.into)
        try:
            return self._unite(audit, fetched)
        finally:
            shutil.rmtree(fetched, ignore_errors=True)
            lock.release()

    def _unite(self, audit: Audit, fetched: Path) -> Manifest:
        first = self.sources[0]
        if first.part.shard == WHOLE:
            first.copy_ledger(self.into)
            return first.part.manifest
        folders = {}
        for source in self.sources:
            folder = source.place
            if isinstance(folder, Store):
                folder = fetched / str(source.part.shard.index)
                source.copy_ledger(folder)
            folders[source.part.shard] = folder
        damage = merge(folders, self.into, audit)
        parts = [replace(each.part, name=_name(each, self.into)) for each in self.sources]
        return merged_manifest(parts, damage)


def collect(addresses: Sequence[str], into: Path | None, settings: Mapping[str, Any]) -> Collection:
    """Look at the runs that are to be taken in; ``settings`` are those of Scrapy.

    Raises ValueError or OSError, with a sentence, if they cannot be, or not into that folder.
    """
    sources = [_source(address) for address in addresses]
    sources.sort(key=lambda source: source.part.shard)
    own = [source for source in sources if not source.part.manifest.shards]
    folder = into or _folder(own or sources, settings)
    # What was merged before may be among what a pattern of the shell names.
    rest = [each for each in sources if each in own or not _is_at(each, folder)]
    check([source.part for source in rest])
    if not _may_be_written(folder, rest):
        raise ValueError(f"{folder} is there already: name another folder with --into")
    return Collection(rest, folder)


def reopened(manifest: Manifest) -> Manifest:
    """Return a manifest that tells how the run ended; one that does not say was cut short."""
    if manifest.status is Status.RUNNING:
        manifest.status = Status.INTERRUPTED
        manifest.reason = "the run was cut short"
        manifest.finished = timestamp(datetime.now(UTC))
    return manifest


def _source(address: str) -> Source:
    if is_remote(address):
        store = Store(address)
        return Source(Part(address, reopened(Manifest.parse(store.manifest()))), store)
    folder = find_run(address)
    if is_under_way(folder):
        raise ValueError(f"{folder} is under way in another process")
    return Source(Part(str(folder), reopened(Manifest.read(folder))), folder)


def _folder(sources: Sequence[Source], settings: Mapping[str, Any]) -> Path:
    """Return the run folder that is used if nobody names one.

    It is beside the runs, if they lie together; else where a new run would be.
    """
    first = sources[0]
    started = min(source.part.manifest.started for source in sources).replace(":", "-")
    name = started if first.part.shard == WHOLE else f"{started}-merged"
    above = {each.place.parent for each in sources if isinstance(each.place, Path)}
    if len(above) == 1 and not any(isinstance(each.place, Store) for each in sources):
        return above.pop() / name
    given = first.part.manifest.given
    config = Config.read({key: given[key] for key in given if key != "resume"}, settings)
    return config.settings.dir / folder_name(config.name()) / name


def _is_at(source: Source, folder: Path) -> bool:
    return isinstance(source.place, Path) and source.place.resolve() == folder.resolve()


def _name(source: Source, into: Path) -> str:
    """Return where a run lies, as the manifest of another keeps it: a name, if it lies beside."""
    if isinstance(source.place, Store):
        return source.place.address
    folder = source.place.resolve()
    return folder.name if folder.parent == into.resolve().parent else str(folder)


def _may_be_written(folder: Path, sources: Sequence[Source]) -> bool:
    """Whether nothing is lost in a folder: it is new, or was made from some of these runs."""
    if not folder.exists() or not any(folder.iterdir()):
        return True
    if not (folder / NAME).is_file():
        return False
    runs = {shard.run for shard in Manifest.read(folder).shards}
    return not runs.isdisjoint(_name(source, folder) for source in sources)
