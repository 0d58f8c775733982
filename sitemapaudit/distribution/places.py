"""The folder of an audit on a cluster: on a disk that all machines see, or in an object store."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from sitemapaudit.runs.folders import find_run
from sitemapaudit.runs.ledger.link_log import FILES
from sitemapaudit.runs.manifest import NAME, Manifest
from sitemapaudit.runs.merging.stores import Store, is_remote, open_stored_run


class Place(Protocol):
    """A folder. Every failure raises OSError."""

    address: str

    def at(self, name: str) -> "Place":
        """Return a folder in this one."""

    def folders(self) -> list[str]:
        """Return the names of the folders in it, in their order."""

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is no such file."""

    def write(self, name: str, blocks: Iterable[bytes]) -> None:
        """Write a file, over another one if there is one."""

    def remove(self, name: str) -> None:
        """Remove a file, if there is one."""


class LocalPlace:
    """A folder on a disk."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder)
        self._folder = folder

    def at(self, name: str) -> "LocalPlace":
        """Return a folder in this one."""
        return LocalPlace(self._folder / name)

    def folders(self) -> list[str]:
        """Return the names of the folders in it, in their order."""
        if not self._folder.is_dir():
            return []
        return sorted(each.name for each in self._folder.iterdir() if each.is_dir())

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is no such file."""
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, name: str, blocks: Iterable[bytes]) -> None:
        """Write a file, over another one if there is one."""
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f"{name}.new"
        draft.write_bytes(b"".join(blocks))
        draft.replace(self._folder / name)

    def remove(self, name: str) -> None:
        """Remove a file, if there is one."""
        (self._folder / name).unlink(missing_ok=True)


def open_place(address: str) -> Place:
    """Return the folder at a path or an address. Raises OSError."""
    return Store(address) if is_remote(address) else LocalPlace(Path(address).resolve())


class FoundRun(Struct, frozen=True):
    """A run at its address."""

    address: str
    manifest: Manifest


def find_run_at(address: str) -> FoundRun | None:
    """Return the newest run at or below an address; None if there is none. Raises OSError."""
    try:
        if not is_remote(address):
            run = find_run(address)
            return FoundRun(str(run), Manifest.read(run))
        store = open_stored_run(address)
        return FoundRun(store.address, Manifest.parse(store.read_manifest()))
    except FileNotFoundError:
        return None


def copy_links(address: str, into: Path) -> Path:
    """Return a local copy of the links of a run in a store."""
    store = open_stored_run(address)
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    store.copy_ledger(into, FILES)
    (into / NAME).write_bytes(store.read_manifest())
    return into
