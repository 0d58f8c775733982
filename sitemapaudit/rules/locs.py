"""What is wrong with a loc, as text: shared by the rules about addresses."""

from __future__ import annotations

import re
from typing import Final

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_PORT: Final = re.compile(r"[^:/?#]*:[0-9]{1,5}(?:[/?#]|$)")
_HTTP: Final = re.compile(r"https?:", re.IGNORECASE)
_HTTP_HOST: Final = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_USER: Final = re.compile(r"https?://[^/?#]*@", re.IGNORECASE)
_BLANK: Final = re.compile(r"[\x00-\x20\x7f-\x9f]")
_BROKEN_TRIPLET: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


def is_absolute(loc: str) -> bool:
    """Whether a trimmed loc has a scheme and, where that is http or https, a host.

    What looks like a scheme is a host where nothing but a port follows it.
    """
    if not _SCHEME.match(loc) or _PORT.match(loc):
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
        return "its host or port is invalid, or it names something that could not be read"
    return None


def problem_of(address: str, url: str | None) -> str | None:
    """Say why a trimmed address is no full, valid URL; ``url`` is its normal form, if any."""
    if not is_absolute(address):
        return "is not a full address"
    fault = fault_of(address, usable=url is not None)
    return f"is no valid URL: {fault}" if fault else None
