"""The list of URLs that a run audits, for a resumed run."""

from pathlib import Path
from typing import Final

from sitemapaudit.runs.durable import sync_file
from sitemapaudit.runs.folder_names import FOLDER

NAME: Final = "url-list.txt"


def url_list_file(run: Path) -> Path:
    """Return the file with the list, one URL per line."""
    return run / FOLDER / NAME


def write_url_list(run: Path, text: bytes) -> None:
    """Write the list; it is on the disk then. Raises OSError."""
    file = url_list_file(run)
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text)
    sync_file(file)
