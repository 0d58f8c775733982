"""The readers that are fuzzed, one per file.

``check`` takes any bytes and fails if the reader misbehaves. ``WORDS`` are words of the grammar,
which get the input past the first step.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

_HERE: Final = Path(__file__).parent
CORPUS: Final = _HERE.parent / "corpus"
"""Cases by reader: input that once failed a check, and examples that the search starts from."""

NAMES: Final = sorted(file.stem for file in _HERE.glob("[!_]*.py"))


class Reader(NamedTuple):
    """A check, and the words to build its input from."""

    check: Callable[[bytes], None]
    words: tuple[bytes, ...]


def reader(name: str) -> Reader:
    """Return the reader with this name."""
    module = import_module(f"{__name__}.{name}")
    return Reader(module.check, module.WORDS)
