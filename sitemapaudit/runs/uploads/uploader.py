"""Uploads a run folder to a store while its audit runs, in a thread."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final

import msgspec
from msgspec.structs import replace

from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.folders import RunInUseError
from sitemapaudit.runs.ledger.doubted import NAME as DOUBTED
from sitemapaudit.runs.ledger.url_list import NAME as URL_LIST
from sitemapaudit.runs.manifest import NAME
from sitemapaudit.runs.merging.stores import LEDGER_FILES, Store
from sitemapaudit.runs.uploads import claiming
from sitemapaudit.runs.uploads.links import NEW, Link
from sitemapaudit.runs.uploads.snapshots import (
    PART,
    PARTS,
    Snapshot,
    StoredFile,
    full_part,
    tail_part,
)

UPLOADED: Final = (URL_LIST, *LEDGER_FILES, DOUBTED)
"""The files of a ledger in the order in which their sizes are noted.

A page comes before its links, which are written first. The files are uploaded in the opposite
order, up to these sizes: every snapshot has the links of its pages.
"""

PATIENCE: Final = 60.0
"""Seconds in which the last upload is tried again, with longer and longer pauses."""

logger = logging.getLogger(__name__)


class Uploader:
    """Uploads a run folder, from ``start`` to ``finish``.

    ``lost`` says that another process has taken the run, ``fault`` why the last attempt failed.
    """

    def __init__(self, run: Path, link: Link) -> None:
        self.address = link.address
        self.lost: RunInUseError | None = None
        self.fault: str | None = None
        self._run = run
        self._writer = "" if link.writer == NEW else link.writer
        self._manifest = (run / NAME).read_bytes()
        self._store: Store | None = None
        self._last: Snapshot | None = None
        self._files: dict[str, StoredFile] = {}
        self._is_whole = True
        self._results: set[str] = set()
        self._written = 0.0
        self._ending = False
        self._wake = Event()
        self._thread = Thread(target=self._repeat, name="upload", daemon=True)

    def start(self) -> None:
        """Upload what is written from now on."""
        self._thread.start()

    def upload_ledger(self) -> None:
        """Upload what the ledger has now. Raises OSError; RunInUseError if the run is lost."""
        store = self._open()
        if claiming.check_owner(store, self._writer) is None:  # The run was deleted.
            self._files, self._is_whole = {}, True
            store.write(NAME, [self._manifest])
        sizes = {name: self._size(name) for name in UPLOADED}
        for name in reversed(UPLOADED):
            self._upload_file(store, name, sizes[name])
        self._is_whole = True
        self._commit()

    def hurry(self) -> None:
        """Upload what is written so far at once."""
        self._wake.set()

    def finish(self) -> bool:
        """Upload everything, also the tables; return whether the store has it."""
        self._ending = True
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join()
        pause, end = 1.0, time.monotonic() + PATIENCE
        while self.lost is None and not self._attempt(self._upload_all):
            if time.monotonic() + pause > end:
                break
            time.sleep(pause)
            pause *= 2
        return self.lost is None and self.fault is None

    def _repeat(self) -> None:
        while not self._ending and self.lost is None:
            self._attempt(self.upload_ledger)
            self._wake.wait(claiming.INTERVAL)
            self._wake.clear()

    def _attempt(self, upload: Callable[[], None]) -> bool:
        try:
            upload()
        except RunInUseError as error:
            self.lost = error
        except Exception as error:  # noqa: BLE001 - whatever it is, it may not end the audit
            if self.fault is None:
                logger.warning("The upload to %s is tried again: %s", self.address, error)
            self.fault = str(error)
        else:
            self.fault = None
        return self.lost is None and self.fault is None

    def _upload_all(self) -> None:
        self.upload_ledger()
        store = self._open()
        for file in sorted(self._run.iterdir()):
            if file.is_file() and file.name != NAME and file.name not in self._results:
                store.write(file.name, self._blocks(file))
                self._results.add(file.name)
        self._manifest = (self._run / NAME).read_bytes()
        store.write(NAME, [self._manifest])
        self._commit(ended=True)
        for writer in store.folders(PARTS):
            if writer != self._writer:
                with suppress(OSError):
                    store.remove_folder(f"{PARTS}/{writer}")
        Link(self.address, self._writer, complete=True).write(self._run)

    def _blocks(self, file: Path) -> Iterator[bytes]:
        with file.open("rb") as content:
            while block := content.read(PART):
                yield block
                self._give_sign()

    def _open(self) -> Store:
        """Return the store, with this process as the writer of the run."""
        if self._store is not None:
            return self._store
        store = Store(self.address)
        last = claiming.check_owner(store, self._writer) if self._writer else None
        if last is None:
            store, last = self._claim_new(store)
            self._writer = last.writer
        store.write(NAME, [self._manifest])
        self._last, self._store = replace(last, writer=self._writer), store
        self._is_whole = not last.parts
        return store

    def _claim_new(self, store: Store) -> tuple[Store, Snapshot]:
        """Claim an address that no other run has."""
        number = 1
        while store.read(NAME) is not None:
            number += 1
            store = Store(f"{self.address}-{number}")
        _, claimed = claiming.claim(store, manifest=self._manifest)
        self.address = store.address
        Link(self.address, claimed.writer).write(self._run)
        return store, claimed

    def _size(self, name: str) -> int:
        file = self._run / FOLDER / name
        return file.stat().st_size if file.exists() else 0

    def _upload_file(self, store: Store, name: str, size: int) -> None:
        """Upload the new bytes of a file up to a size, and those of its last part once more."""
        file = self._run / FOLDER / name
        stored = self._files.get(name, StoredFile())
        if size <= stored.size:
            return
        committed = self._last.files.get(name) if self._last and self._has_own_parts else None
        tail = 1 - (committed or stored).tail
        folder = f"{PARTS}/{self._writer}"
        with file.open("rb") as content:
            begin = stored.size // PART * PART
            content.seek(begin)
            while begin < size:
                part = content.read(min(PART, size - begin))
                if not part:
                    raise OSError(f"{file} became shorter")
                is_full = len(part) == PART
                part_name = full_part(name, begin // PART) if is_full else tail_part(name, tail)
                store.write(f"{folder}/{part_name}", [part])
                begin += len(part)
                self._files[name] = StoredFile(begin, stored.tail if is_full else tail)
                self._give_sign()

    @property
    def _has_own_parts(self) -> bool:
        return self._last is not None and self._last.parts == self._writer

    def _give_sign(self) -> None:
        """Write a snapshot if the last one is old: a long upload is a sign of life."""
        if time.monotonic() - self._written > claiming.INTERVAL:
            self._commit()

    def _commit(self, *, ended: bool = False) -> None:
        store, last = self._store, self._last
        assert store is not None
        assert last is not None
        snapshot = replace(
            last,
            beat=last.beat + 1,
            ended=ended,
            manifest=msgspec.Raw(self._manifest),
            **({"parts": self._writer, "files": {**self._files}} if self._is_whole else {}),
        )
        claiming.write_snapshot(store, snapshot)
        self._last, self._written = snapshot, time.monotonic()
