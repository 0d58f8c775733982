"""The HTTP ``Link`` header (RFC 8288)."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

_TARGET: Final = re.compile(r"[\s,]*<([^>]*)>")
_PARAMETER: Final = re.compile(
    r"\s*;\s*(?:([^\s=;,]+)\s*(?:=\s*(?:\"((?:[^\"\\]|\\.)*)\"?|([^;,]*)))?)?", re.DOTALL
)
_ESCAPE: Final = re.compile(r"\\(.)")


class Link(Struct):
    """One link-value: its target as written, and its parameters with lower-case names."""

    target: str
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def relations(self) -> list[str]:
        """The relation types in lower case (RFC 8288 section 3.3: separated by spaces)."""
        return self.parameters.get("rel", "").lower().split()


def read_links(lines: list[str]) -> Iterator[Link]:
    """Read every link of every line; commas within ``<…>`` or quotes do not separate links.

    The first of several parameters with the same name counts (RFC 8288 section 3.3). A syntax
    error ends its line. A link with an anchor is about another resource than the page (section
    3.2), and is ignored.
    """
    for line in lines:
        position = 0
        while match := _TARGET.match(line, position):
            link = Link(match.group(1).strip())
            position = _read_parameters(line, match.end(), link)
            if "anchor" not in link.parameters:
                yield link


def _read_parameters(line: str, position: int, link: Link) -> int:
    while match := _PARAMETER.match(line, position):
        name, quoted, token = match.groups()
        if name:
            value = _ESCAPE.sub(r"\1", quoted) if quoted is not None else (token or "").strip()
            link.parameters.setdefault(name.lower(), value)
        position = match.end()
    return position
