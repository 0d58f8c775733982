"""Files that outlive a power cut: each is as it was before, or complete."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def publish(drafts: Iterable[Path], folder: Path) -> list[Path]:
    """Move finished files into a folder, in place of older ones; return them there.

    A reader, and a power cut, find each file as it was or complete.
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
        return  # Windows opens no folders.
    number = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # Some network file systems sync no folders.
            os.fsync(number)
    finally:
        os.close(number)
