"""Checks that the files of a run are files: to open a pipe would never end."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sitemapaudit.runs.folder_names import FOLDER

_SUFFIXES: Final = frozenset({".parquet", ".csv", ".html", ".md", ".json", ".xml", ".log", ".new"})
"""The suffixes of the files of a run; in the folder of its ledger, each name is that of a file.

Not those of additional formats: a format that cannot be written costs nothing else.
"""

_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFLNK: "a link that leads nowhere",
}


class RunFileError(ValueError):
    """A file of a run cannot be used; the message names it, and the reason."""


def check_files(run: Path) -> None:
    """Raise RunFileError unless each file of a run is a file. Raises OSError."""
    for entry in (*_named_entries(run), *_ledger_entries(run / FOLDER)):
        if not entry.is_file():
            raise RunFileError(f"{entry.path} is {_describe_kind(entry)}, and not a file")


def _named_entries(run: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(run) as entries:
        yield from (entry for entry in entries if Path(entry.name).suffix in _SUFFIXES)


def _ledger_entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    if folder.is_dir():
        with os.scandir(folder) as entries:
            yield from entries


def _describe_kind(entry: os.DirEntry[str]) -> str:
    try:
        kind = stat.S_IFMT(entry.stat().st_mode)
    except OSError:
        kind = stat.S_IFLNK
    return _KINDS.get(kind, "a device")
