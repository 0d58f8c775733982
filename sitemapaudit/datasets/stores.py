"""Run folders in object stores: ``s3://bucket/run`` and whatever else Arrow's file systems reach.

Keys, regions and other endpoints come from the usual environment variables.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from sitemapaudit.datasets.ledger import FOLDER, ledger_file
from sitemapaudit.datasets.manifest import NAME
from sitemapaudit.datasets.schema import LEDGER_TABLES

_BLOCK: Final = 1 << 20


def is_remote(address: str) -> bool:
    """Whether this is an address in a store, and no path."""
    return "://" in address


class Store:
    """A run folder in a store; whatever it is asked for raises OSError where that fails."""

    def __init__(self, address: str) -> None:
        # Arrow takes a tenth of a second to import, which few need to spend.
        import pyarrow as pa  # noqa: PLC0415
        from pyarrow.fs import FileSystem  # noqa: PLC0415

        self.address = address.rstrip("/")
        try:
            self._files, self._path = FileSystem.from_uri(self.address)
        except (pa.ArrowException, ValueError) as error:
            raise OSError(f"{address} cannot be read: {error}") from error

    def manifest(self) -> bytes:
        """Return what stands in run.json."""
        try:
            with self._files.open_input_stream(f"{self._path}/{NAME}") as source:
                return bytes(source.read())
        except FileNotFoundError:
            raise FileNotFoundError(f"no run folder (one with {NAME}) at {self.address}") from None

    def copy_ledger(self, into: Path) -> None:
        """Copy the ledger into a run folder, a block at a time."""
        (into / FOLDER).mkdir(parents=True, exist_ok=True)
        for table in LEDGER_TABLES:
            target = ledger_file(into, table)
            try:
                with (
                    self._files.open_input_stream(f"{self._path}/{FOLDER}/{target.name}") as source,
                    target.open("wb") as file,
                ):
                    shutil.copyfileobj(source, file, _BLOCK)
            except FileNotFoundError:
                continue  # A run of an earlier version has no file of a table that came later.
