"""Runs in stores, or shards of one audit → the ledger and manifest of one local run folder."""

import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.audit import Audit
from sitemapaudit.runs.durable import sync_file
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.folders import check_free, find_run, has_tables, locked
from sitemapaudit.runs.manifest import NAME, Manifest
from sitemapaudit.runs.merging.link_merging import merge_links
from sitemapaudit.runs.merging.merging import merge
from sitemapaudit.runs.merging.shards import NamedRun, check_mergeable, merged_manifest
from sitemapaudit.runs.merging.stores import LEDGER_FILES, Store, is_remote, open_stored_run
from sitemapaudit.urls.shard import WHOLE

_FETCHED: Final = "fetched"
"""The folder in a run folder for ledgers from stores; it is removed at the end."""

_MARK: Final = "collected"
"""The file next to a ledger that marks its rows as copies, so that they can be replaced."""


class RunSource(Struct, frozen=True):
    """A run to collect, and its place."""

    run: NamedRun
    place: Path | Store

    def copy_ledger(self, into: Path) -> None:
        """Copy the ledger into another run folder."""
        if isinstance(self.place, Store):
            self.place.copy_ledger(into)
            return
        for name in LEDGER_FILES:
            file = self.place / FOLDER / name
            if file.exists():
                shutil.copyfile(file, into / FOLDER / name)


class Collection(Struct, frozen=True):
    """Runs that can be collected, and the run folder for them."""

    sources: Sequence[RunSource]
    into: Path

    @property
    def first(self) -> NamedRun:
        """The run with the arguments and settings of the audit."""
        return self.sources[0].run

    def write_ledger(self, audit: Audit) -> Manifest:
        """Write the ledger; return the manifest of the collected run. Raises OSError.

        If it is interrupted, it can be repeated.
        """
        mark = self.into / FOLDER / _MARK
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
        fetched = self.into / _FETCHED
        with locked(self.into):
            try:
                return self._write_ledger(audit, fetched)
            finally:
                shutil.rmtree(fetched, ignore_errors=True)

    def _write_ledger(self, audit: Audit, fetched: Path) -> Manifest:
        first = self.sources[0]
        if first.run.shard == WHOLE:
            for name in LEDGER_FILES:  # It can be another run's, from an interrupted collection.
                (self.into / FOLDER / name).unlink(missing_ok=True)
            first.copy_ledger(self.into)
            for name in LEDGER_FILES:
                if (self.into / FOLDER / name).exists():
                    sync_file(self.into / FOLDER / name)
            return first.run.manifest
        folders = {}
        for source in self.sources:
            folder = source.place
            if isinstance(folder, Store):
                folder = fetched / str(source.run.shard.index)
                source.copy_ledger(folder)
            folders[source.run.shard] = folder
        own_entries = bool(first.run.manifest.arguments.get("entries_from"))
        damage = merge(folders, self.into, audit, own_entries=own_entries)
        merge_links(folders, self.into)
        runs = [replace(each.run, name=_name(each, self.into)) for each in self.sources]
        return merged_manifest(runs, damage)


def collect(
    addresses: Sequence[str], into: Path | None, folder_of: Callable[[Manifest], Path]
) -> Collection:
    """Find runs, and check that they can be collected into one folder.

    ``folder_of`` returns the folder of a new run of the same audit. Raises ValueError or OSError,
    with a sentence.
    """
    sources = [_source(address) for address in addresses]
    sources.sort(key=lambda source: source.run.shard)
    unmerged = [source for source in sources if not source.run.manifest.shards]
    folder = into or _default_folder(unmerged or sources, folder_of)
    # A shell pattern can also match the result of an earlier merge.
    rest = [each for each in sources if each in unmerged or not _is_at(each, folder)]
    check_mergeable([source.run for source in rest])
    if not _may_overwrite(folder, rest):
        raise ValueError(f"{folder} already exists; name another folder with --into")
    return Collection(rest, folder)


def _source(address: str) -> RunSource:
    if is_remote(address):
        store = open_stored_run(address)
        try:
            manifest = Manifest.parse(store.read_manifest())
        except ValueError as error:
            raise ValueError(f"{NAME} of {address} cannot be read: {error}") from error
        return RunSource(NamedRun(store.address, _closed(manifest)), store)
    folder = find_run(address)
    check_free(folder)
    return RunSource(NamedRun(str(folder), _closed(Manifest.read(folder))), folder)


def _closed(manifest: Manifest) -> Manifest:
    manifest.mark_interrupted(datetime.now(UTC))
    return manifest


def _default_folder(sources: Sequence[RunSource], folder_of: Callable[[Manifest], Path]) -> Path:
    """Return the folder if the user does not name one.

    It is next to the runs if they are in one folder, otherwise the folder of a new run.
    """
    first = sources[0]
    started = min(source.run.manifest.started for source in sources).replace(":", "-")
    name = started if first.run.shard == WHOLE else f"{started}-merged"
    parents = {each.place.parent for each in sources if isinstance(each.place, Path)}
    if len(parents) == 1 and not any(isinstance(each.place, Store) for each in sources):
        return parents.pop() / name
    return folder_of(first.run.manifest) / name


def _is_at(source: RunSource, folder: Path) -> bool:
    return isinstance(source.place, Path) and source.place.resolve() == folder.resolve()


def _name(source: RunSource, into: Path) -> str:
    """Return the place of a run for a manifest: only its name in the same parent folder."""
    if isinstance(source.place, Store):
        return source.place.address
    folder = source.place.resolve()
    return folder.name if folder.parent == into.resolve().parent else str(folder)


def _may_overwrite(folder: Path, sources: Sequence[RunSource]) -> bool:
    """Return whether a folder is empty, incomplete, or was merged from some of these runs.

    A collection writes its tables and then its manifest when its ledger is complete.
    """
    if not any(file.is_file() for file in folder.rglob("*")):
        return True
    finished = (folder / NAME).is_file()
    if not (finished and has_tables(folder)) and (folder / FOLDER / _MARK).is_file():
        return True
    if not finished:
        return False
    runs = {shard.run for shard in Manifest.read(folder).shards}
    return not runs.isdisjoint(_name(source, folder) for source in sources)
