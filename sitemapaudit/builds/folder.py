"""The files of a build folder, by the path of a URL; nothing outside the folder is ever found."""

from __future__ import annotations

import os
import stat
from enum import Enum
from pathlib import Path


class Kind(Enum):
    """What an entry of a folder is; pipes, sockets and devices are nothing that hosts serve."""

    FILE = "file"
    FOLDER = "folder"


class Folder:
    """Finds files by their exact names.

    A part of a path must be a name in the listing of its folder, letter by letter. So ``..`` and
    names with a slash, a backslash or NUL are not found, and neither is ``a.html`` as ``A.html``
    on a file system that ignores case, since hosts do not. A link counts if its target is inside.
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self._listings: dict[Path, dict[str, Kind]] = {}

    def file(self, path: str) -> Path | None:
        """Return the regular file at a decoded path such as ``/a/b.html``."""
        return self._find(path, Kind.FILE)

    def has_folder(self, path: str) -> bool:
        """Return whether a decoded path without a slash at its end names a folder."""
        return not path.strip("/") or self._find(path, Kind.FOLDER) is not None

    def _find(self, path: str, wanted: Kind) -> Path | None:
        *folders, name = path.removeprefix("/").split("/")
        here = self.root
        for folder in folders:
            if self._listing(here).get(folder) is not Kind.FOLDER:
                return None
            here /= folder
        return here / name if self._listing(here).get(name) is wanted else None

    def _listing(self, folder: Path) -> dict[str, Kind]:
        if folder not in self._listings:
            self._listings[folder] = self._read_listing(folder)
        return self._listings[folder]

    def _read_listing(self, folder: Path) -> dict[str, Kind]:
        try:
            with os.scandir(folder) as entries:
                kinds = {entry.name: self._kind_of(entry) for entry in entries}
        except OSError:
            return {}
        return {name: kind for name, kind in kinds.items() if kind is not None}

    def _kind_of(self, entry: os.DirEntry[str]) -> Kind | None:
        try:
            if entry.is_symlink() and not self._is_inside(entry.path):
                return None
            mode = entry.stat().st_mode
        except OSError:
            return None
        if stat.S_ISREG(mode):
            return Kind.FILE
        return Kind.FOLDER if stat.S_ISDIR(mode) else None

    def _is_inside(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.root)
