"""Run folders in object stores: ``s3://bucket/run`` and the other file systems of Arrow.

Keys, regions and endpoints come from the usual environment variables.
"""

import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.ledger.link_log import FILES
from sitemapaudit.runs.manifest import NAME

LEDGER_FILES: Final = (*(ledger_file(Path(), table).name for table in LEDGER_TABLES), *FILES)
"""The names of the files of a ledger; a run has those that it needed."""

_BLOCK: Final = 1 << 20


def is_remote(address: str) -> bool:
    """Return whether a name is the address of a run in a store, not a path."""
    return "://" in address


class Store:
    """A run folder in a store; every failure raises OSError."""

    def __init__(self, address: str) -> None:
        if find_spec("pyarrow") is None:
            raise OSError(f"to read {address}, install sitemapaudit[stores]")
        import pyarrow as pa  # noqa: PLC0415 - few runs need it
        from pyarrow.fs import FileSystem  # noqa: PLC0415

        self.address = address.rstrip("/")
        try:
            self._files, self._path = FileSystem.from_uri(self.address)
        except (pa.ArrowException, ValueError) as error:
            raise OSError(f"{address} cannot be read: {error}") from error

    def read_manifest(self) -> bytes:
        """Return the content of run.json."""
        try:
            with self._files.open_input_stream(f"{self._path}/{NAME}") as source:
                return bytes(source.read())
        except FileNotFoundError:
            raise FileNotFoundError(
                f"there is no run folder (with {NAME}) at {self.address}"
            ) from None

    def copy_ledger(self, into: Path) -> None:
        """Copy the ledger into a run folder in blocks."""
        for name in LEDGER_FILES:
            self.copy_file(f"{FOLDER}/{name}", into)

    def copy_file(self, name: str, into: Path) -> bool:
        """Copy a file into a run folder; return whether there is such a file."""
        target = into / name
        try:
            with self._files.open_input_stream(f"{self._path}/{name}") as source:
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("wb") as file:
                    shutil.copyfileobj(source, file, _BLOCK)
        except FileNotFoundError:
            return False  # The run did not record this table.
        return True
