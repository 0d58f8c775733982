"""An example finding per rule, from the demo website or from the test of the rule."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files as resources
from typing import Final

from msgspec import Struct

FILE: Final = "examples.json"


class Example(Struct, frozen=True):
    """A finding: its place and its message."""

    place: str
    message: str


@cache
def examples() -> Mapping[str, Example]:
    """Return the example of each built-in rule, by its id."""
    # The package can be an egg, which has no files.
    file = resources("sitemapaudit.rules") / FILE
    stored = json.loads(file.read_text(encoding="utf-8"))
    return {rule: Example(**example) for rule, example in stored.items()}
