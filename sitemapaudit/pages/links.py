"""The HTTP ``Link`` header (RFC 8288)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_TARGET: Final = re.compile(r"[\s,]*<([^>]*)>")
_PARAMETER: Final = re.compile(
    r"\s*;\s*(?:([^\s=;,]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*)\"?|([^;,]*)))?)?", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(.)")


@dataclass(slots=True)
class Link:
    """One link-value: its target as written, and its parameters, names in lower case."""

    target: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def relations(self) -> list[str]:
        """The relation types, lower case (RFC 8288 section 3.3: separated by spaces)."""
        return self.parameters.get("rel", "").lower().split()


def read_links(lines: list[str]) -> Iterator[Link]:
    """Read every link of every line; a comma within ``<…>`` or quotes separates nothing.

    Of a parameter that occurs again the first counts (RFC 8288 section 3.3).
    What cannot be parsed ends its line. A link with an anchor speaks of some
    other resource than the page (section 3.2), and is passed over.
    """
    for line in lines:
        place = 0
        while match := _TARGET.match(line, place):
            link = Link(match.group(1).strip())
            place = _read_parameters(line, match.end(), link)
            if "anchor" not in link.parameters:
                yield link


def _read_parameters(line: str, place: int, link: Link) -> int:
    while match := _PARAMETER.match(line, place):
        name, quoted, token = match.groups()
        if name:
            value = _ESCAPE.sub(r"\1", quoted) if quoted is not None else (token or "").strip()
            link.parameters.setdefault(name.lower(), value)
        place = match.end()
    return place
