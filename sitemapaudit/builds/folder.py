"""The files of a build folder, by the path of a URL; nothing outside the folder is ever found."""

import os
import stat
from pathlib import Path


class Folder:
    """Finds files by their exact names.

    A part of a path must be a name in the listing of its folder, letter by letter. So ``..`` and
    names with a slash, a backslash or NUL are not found, and neither is ``a.html`` as ``A.html``
    on a file system that ignores case, because no hosting does. A link counts if its target is
    inside. Pipes, sockets and devices are not found.
    """

    def __init__(self, root: Path, mount: str = "") -> None:
        """Find files below ``mount``, a decoded path such as ``/repository``: the root is there."""
        self.root = Path(os.path.realpath(root))
        self.mount = mount
        self._listings: dict[Path, dict[str, int]] = {}

    def file(self, path: str) -> Path | None:
        """Return the regular file at a decoded path such as ``/a/b.html``."""
        return self._find(path, stat.S_IFREG)

    def has_folder(self, path: str) -> bool:
        """Return whether a decoded path without a slash at its end names a folder."""
        if not path.removeprefix(self.mount).strip("/"):
            return path.startswith(self.mount)
        return self._find(path, stat.S_IFDIR) is not None

    def contains(self, path: str) -> bool:
        """Return whether a decoded path is that of the folder, or below it."""
        return f"{path}/".startswith(f"{self.mount}/")

    def _find(self, path: str, wanted: int) -> Path | None:
        if not self.contains(path):
            return None
        *folders, name = path.removeprefix(f"{self.mount}/").split("/")
        here = self.root
        for folder in folders:
            if self._listing(here).get(folder) != stat.S_IFDIR:
                return None
            here /= folder
        return here / name if self._listing(here).get(name) == wanted else None

    def _listing(self, folder: Path) -> dict[str, int]:
        """Return the types of the entries of a folder, by their names."""
        if folder not in self._listings:
            try:
                with os.scandir(folder) as entries:
                    types = {entry.name: self._type_of(entry) for entry in entries}
            except (FileNotFoundError, NotADirectoryError):
                types = {}
            self._listings[folder] = types
        return self._listings[folder]

    def _type_of(self, entry: os.DirEntry[str]) -> int:
        """Return the type as ``stat`` has it; 0 for a link that is broken or leads outside."""
        try:
            if entry.is_symlink() and not self._is_inside(entry.path):
                return 0
            return stat.S_IFMT(entry.stat().st_mode)
        except OSError:
            return 0

    def _is_inside(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.root)
