"""What is wrong with a loc, as text: shared by the rules about it."""

from __future__ import annotations

import re
from typing import Final

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HTTP: Final = re.compile(r"https?:", re.IGNORECASE)
_HTTP_HOST: Final = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_USER: Final = re.compile(r"https?://[^/?#]*@", re.IGNORECASE)
_BLANK: Final = re.compile(r"[\x00-\x20\x7f-\x9f\xa0]")
_BROKEN_TRIPLET: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


def is_absolute(loc: str) -> bool:
    """Whether a trimmed loc has a scheme and, where that is http or https, a host."""
    if not _SCHEME.match(loc):
        return False
    return not _HTTP.match(loc) or bool(_HTTP_HOST.match(loc))


def fault_of(loc: str, *, usable: bool) -> str | None:
    """Say why an absolute loc is no valid URL; ``usable`` if it has a normal form."""
    if not _HTTP.match(loc):
        return "its scheme is not http or https"
    if _USER.match(loc):
        return "it holds user information"
    if blank := _BLANK.search(loc):
        return f"it holds the character {blank.group()!r}"
    if broken := _BROKEN_TRIPLET.search(loc):
        return f"{loc[broken.start() : broken.start() + 3]!r} is no percent triplet"
    if not usable:
        return "it cannot be parsed, or names something that could not be read"
    return None
