"""A mutant: a module with one change."""

from typing import NamedTuple

Key = tuple[str, str, str]
"""The file, the changed lines, and what they are changed to: line numbers change too often."""


class Mutant(NamedTuple):
    """A changed module: its file, the changed lines, and the new source."""

    file: str
    line: int
    was: str
    now: str
    source: str

    @property
    def key(self) -> Key:
        """By what it is recognized."""
        return self.file, " ".join(self.was.split()), " ".join(self.now.split())

    def __str__(self) -> str:
        return f"{self.file}:{self.line}\n  - {self.was}\n  + {self.now}"
