"""The code blocks of the documentation, as tests read them."""

import re
from dataclasses import dataclass
from pathlib import Path

from docs.generated.pages import written_by_hand

PAGES = written_by_hand()
_BLOCK = re.compile(
    r"^(?:<!-- (?P<note>[^\n]*) -->\n)?```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A code block: its language, its text, and the comment above it."""

    page: Path
    language: str
    text: str
    note: str

    @property
    def is_run(self) -> bool:
        """Whether a test runs the block or writes its file, unless a reason says why not."""
        is_program = self.language in ("sh", "python") and not self.note.startswith("not run:")
        return is_program or self.note.startswith("file:")


def blocks_of(page: Path) -> list[Block]:
    """Return the code blocks of a page."""
    return [
        Block(page, found["language"], found["text"], found["note"] or "")
        for found in _BLOCK.finditer(page.read_text(encoding="utf-8"))
    ]
