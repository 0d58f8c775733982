"""The place of a local run folder in a store."""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from sitemapaudit.runs.folder_names import FOLDER

NEW: Final = "000000"
"""The writer of a run that began on this machine, and that the store does not have yet."""

_NAME: Final = "upload.json"


class Link(Struct, frozen=True):
    """The address of a run, and its last ``writer`` on this machine.

    There is no writer before a copy of a run is taken over. ``complete`` says whether the store has
    the run as it is here.
    """

    address: str
    writer: str = ""
    complete: bool = False

    @classmethod
    def read(cls, run: Path) -> "Link | None":
        """Return the link of a run folder; None if it has none that can be read."""
        try:
            return msgspec.json.decode((run / FOLDER / _NAME).read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError):
            return None

    def write(self, run: Path) -> None:
        """Write the link into a run folder. Raises OSError."""
        (run / FOLDER).mkdir(parents=True, exist_ok=True)
        (run / FOLDER / _NAME).write_bytes(msgspec.json.encode(self))
