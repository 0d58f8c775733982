"""Checks that the rules about URLs share."""

import re
from string import printable
from typing import Final
from urllib.parse import quote

from sitemapaudit.caps import MAX_TEXT

_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_PORT: Final = re.compile(r"[^:/?#]*:[0-9]{1,5}(?:[/?#]|$)")
_HTTP: Final = re.compile(r"https?:", re.IGNORECASE)
_HTTP_HOST: Final = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_USER: Final = re.compile(r"https?://[^/?#]*@", re.IGNORECASE)
_SPACE_OR_CONTROL: Final = re.compile(r"[\x00-\x20\x7f-\x9f]")
_BROKEN_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")


def is_absolute(loc: str) -> bool:
    """Return whether a trimmed loc has a scheme and, if that is http or https, a host.

    In ``example.com:8080`` there is no scheme: only a port follows the colon.
    """
    if not _SCHEME.match(loc) or _PORT.match(loc):
        return False
    return not _HTTP.match(loc) or bool(_HTTP_HOST.match(loc))


def find_url_error(loc: str, url: str | None) -> str | None:
    """Return why an absolute loc is not a valid URL; None if it is valid.

    ``url`` is the normalized loc; None if the loc cannot be normalized.
    """
    if not _HTTP.match(loc):
        return "its scheme is not http or https"
    if _USER.match(loc):
        return "it contains user information"
    if found := _SPACE_OR_CONTROL.search(loc):
        return f"it contains the character {found.group()!r}"
    if broken := _BROKEN_ESCAPE.search(loc):
        return f"{loc[broken.start() : broken.start() + 3]!r} is not valid percent-encoding"
    if url is None and len(quote(loc, safe=printable)) > MAX_TEXT:
        return f"it has more than {MAX_TEXT:,} characters, percent-encoding included"
    if url is None:
        return "its host or port is invalid, or part of it could not be read"
    return None


def describe_url_problem(loc: str, url: str | None) -> str | None:
    """Return why a trimmed loc is not a valid absolute URL; None if it is one.

    ``url`` is the normalized loc; None if the loc cannot be normalized.
    """
    if not is_absolute(loc):
        return "is not an absolute URL"
    error = find_url_error(loc, url)
    return f"is not a valid URL: {error}" if error else None
