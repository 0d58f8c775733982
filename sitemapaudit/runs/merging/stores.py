"""Run folders in object stores: ``s3://bucket/run`` and the other file systems of Arrow.

Keys, regions and endpoints come from the usual environment variables.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.ledger.link_log import FILES
from sitemapaudit.runs.manifest import NAME
from sitemapaudit.runs.uploads.snapshots import Snapshot

LEDGER_FILES: Final = (*(ledger_file(Path(), table).name for table in LEDGER_TABLES), *FILES)
"""The names of the files of a ledger; a run has those that it needed."""

_BLOCK: Final = 1 << 20

STORES: Final = ("s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs", "file")
"""The schemes of the addresses of Arrow's file systems."""

_OBJECT_STORES: Final = ("s3", "gcs", "abfs")
"""File systems without real folders."""

_ONE_REQUEST: Final = "?allow_delayed_open=true"
"""The option with which Arrow uploads a small object to S3 in one request instead of three."""


def is_remote(address: str) -> bool:
    """Return whether a name is the address of a run in a store, not a path."""
    return "://" in address


def can_reach_stores() -> bool:
    """Return whether the extra that reads and writes stores is installed."""
    return find_spec("pyarrow") is not None


class Store:
    """A folder in a store, such as a run folder; every failure raises OSError."""

    def __init__(self, address: str) -> None:
        if not can_reach_stores():
            raise OSError(f"to read {address}, install sitemapaudit[stores]")
        import pyarrow as pa  # noqa: PLC0415 - few runs need it
        from pyarrow.fs import FileSystem  # noqa: PLC0415

        self.address = address.rstrip("/")
        is_plain_s3 = self.address.startswith("s3://") and "?" not in self.address
        try:
            self._files, self._path = FileSystem.from_uri(
                self.address + (_ONE_REQUEST if is_plain_s3 else "")
            )
        except (pa.ArrowException, ValueError) as error:
            raise OSError(f"{address} cannot be read: {error}") from error

    def at(self, name: str) -> "Store":
        """Return a folder in this one."""
        found = copy(self)
        vars(found).update(address=f"{self.address}/{name}", _path=f"{self._path}/{name}")
        return found

    def check_bucket(self) -> None:
        """Raise FileNotFoundError if an object store says that there is no such bucket."""
        from pyarrow.fs import FileType  # noqa: PLC0415 - few runs need it

        if self._files.type_name not in _OBJECT_STORES:
            return
        bucket = self._path.partition("/")[0]
        try:
            with _failures():
                found = self._files.get_file_info(bucket)
        except OSError:  # Not every key may ask for it.
            return
        if found.type is FileType.NotFound:
            raise FileNotFoundError(f"There is no bucket {bucket} ({self.address})")

    def read_manifest(self) -> bytes:
        """Return the content of run.json."""
        snapshot = Snapshot.read(self.read)
        content = self.read(NAME) if snapshot is None else bytes(snapshot.manifest)
        if content is None:
            raise FileNotFoundError(f"There is no run folder (with {NAME}) at {self.address}")
        return content

    def copy_ledger(self, into: Path, names: Iterable[str] = LEDGER_FILES) -> None:
        """Copy the ledger into a run folder in blocks."""
        snapshot = Snapshot.read(self.read)
        for name in names:
            if snapshot is None or not snapshot.parts:
                self.copy_file(f"{FOLDER}/{name}", into)
            else:
                snapshot.copy(name, self.read, into)

    def copy_file(self, name: str, into: Path) -> bool:
        """Copy a file into a run folder; return whether there is such a file."""
        target = into / name
        try:
            with _failures(), self._open(name) as source:
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("wb") as file:
                    shutil.copyfileobj(source, file, _BLOCK)
        except FileNotFoundError:
            return False  # The run did not record this table.
        return True

    def read(self, name: str) -> bytes | None:
        """Return the content of a small file; None if there is no such file."""
        try:
            with _failures(), self._open(name) as source:
                return bytes(source.read())
        except FileNotFoundError:
            return None

    def _open(self, name: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - Arrow has no types
        return self._files.open_input_stream(f"{self._path}/{name}", compression=None)

    def write(self, name: str, blocks: Iterable[bytes]) -> None:
        """Write a file, over another one if there is one.

        Object stores have it as a whole or not at all; Azure has an empty one meanwhile.
        """
        path = f"{self._path}/{name}"
        with _failures():
            if self._files.type_name not in _OBJECT_STORES:
                self._files.create_dir(path.rpartition("/")[0])
            with self._files.open_output_stream(path, compression=None) as target:
                for block in blocks:
                    target.write(block)

    def folders(self, name: str = "") -> list[str]:
        """Return the names of the folders in a folder, in their order; none if it is missing."""
        from pyarrow.fs import FileSelector, FileType  # noqa: PLC0415 - few runs need it

        place = FileSelector(f"{self._path}/{name}".rstrip("/"), allow_not_found=True)
        with _failures():
            found = self._files.get_file_info(place)
        return sorted(each.base_name for each in found if each.type is FileType.Directory)

    def remove(self, name: str) -> None:
        """Remove a file, if there is one."""
        with _failures(), suppress(FileNotFoundError):
            self._files.delete_file(f"{self._path}/{name}")

    def remove_folder(self, name: str) -> None:
        """Remove a folder with everything in it."""
        with _failures():
            self._files.delete_dir(f"{self._path}/{name}")


@contextmanager
def _failures() -> Iterator[None]:
    """Raise OSError in place of the other errors of Arrow."""
    import pyarrow as pa  # noqa: PLC0415 - few runs need it

    try:
        yield
    except pa.ArrowException as error:
        if isinstance(error, OSError):
            raise
        raise OSError(str(error)) from error


def open_stored_run(address: str) -> Store:
    """Return the run at an address, or the newest run below it.

    Raises OSError; FileNotFoundError if there is none.
    """
    store = Store(address)
    if store.read(NAME) is not None:
        return store
    for name in sorted(_below(store), key=lambda name: name.rpartition("/")[2], reverse=True):
        if store.read(f"{name}/{NAME}") is not None:
            return store.at(name)
    store.check_bucket()
    raise FileNotFoundError(f"There is no run folder (with {NAME}) at or below {store.address}")


def _below(store: Store) -> Iterator[str]:
    """Yield the names of the folders where the runs of a folder can be: two levels of them."""
    for name in store.folders():
        yield name
        yield from (f"{name}/{each}" for each in store.folders(name))
