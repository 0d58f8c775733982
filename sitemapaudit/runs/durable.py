"""Files that survive a power cut: each is either unchanged or complete."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final, Self

SYNC_INTERVAL: Final = 1.0
"""Seconds between syncs of the rows of a running audit."""


class Repeating:
    """A context in which a thread calls a function at an interval in seconds."""

    def __init__(self, call: Callable[[], None], interval: float) -> None:
        self._call = call
        self._interval = interval
        self._ended = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._interval):
            self._call()


def publish(drafts: Iterable[Path], folder: Path) -> list[Path]:
    """Move finished files into a folder, over older ones; return their new paths.

    Readers, also after a power cut, find each file either unchanged or complete.
    """
    drafts = list(drafts)
    for draft in drafts:
        sync_file(draft)
    files = [draft.replace(folder / draft.name) for draft in drafts]
    sync_folder(folder)
    return files


def sync_file(file: Path) -> None:
    """Wait until the content of a file is on the disk."""
    with file.open("rb+") as written:
        os.fsync(written.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names of the files in a folder are on the disk."""
    if os.name == "nt":
        return  # Windows cannot open folders.
    with suppress(OSError):  # Some file systems cannot sync folders; some folders are not ours.
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
