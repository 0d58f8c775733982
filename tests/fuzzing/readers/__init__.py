"""What is fuzzed: a reader is a file here, which says what holds whatever comes.

``check`` takes any bytes and fails where a promise is broken; ``WORDS`` are those
of the grammar, so that what lies behind the first step is met.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

_HERE: Final = Path(__file__).parent
CORPUS: Final = _HERE.parent / "corpus"
"""Cases by reader: what a promise was once broken by, and where the search begins."""

NAMES: Final = sorted(file.stem for file in _HERE.glob("[!_]*.py"))


class Reader(NamedTuple):
    """What takes the bytes, and the words that they may be made of."""

    check: Callable[[bytes], None]
    words: tuple[bytes, ...]


def reader(name: str) -> Reader:
    """Return a reader by its name."""
    module = import_module(f"{__name__}.{name}")
    return Reader(module.check, module.WORDS)
