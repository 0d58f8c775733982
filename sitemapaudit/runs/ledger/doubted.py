"""The URLs of a run whose responses can belong to other requests, for a resumed run."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sitemapaudit.runs.folder_names import FOLDER

NAME: Final = "doubted.txt"


def note_doubts(run: Path, urls: Sequence[str]) -> None:
    """Append URLs, a line each; they are on the disk then. Raises OSError."""
    with (run / FOLDER / NAME).open("ab") as lines:
        lines.write("".join(f"{url}\n" for url in urls).encode())
        lines.flush()
        os.fsync(lines.fileno())


def read_doubts(run: Path) -> list[str]:
    """Return the URLs; none if there is no file of them. Raises OSError."""
    file = run / FOLDER / NAME
    return file.read_text(encoding="utf-8", errors="replace").splitlines() if file.exists() else []
