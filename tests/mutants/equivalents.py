"""The mutants that behave as the original does, each with a reason: equivalent.toml."""

import tomllib
from pathlib import Path
from typing import Final

from tests.mutants.mutant import Key

_FILE: Final = Path(__file__).with_name("equivalent.toml")


def read_equivalents() -> dict[Key, str]:
    """Return the reasons by mutant."""
    found = tomllib.loads(_FILE.read_text("utf-8"))
    return {
        (file, each["was"], each["now"]): each["why"]
        for file, mutants in found.items()
        for each in mutants
    }
