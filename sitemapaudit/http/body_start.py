"""The first characters of a body, which show what a server sent instead of what was expected."""

import re
from typing import Final

from sitemapaudit.http.decoding import decode
from sitemapaudit.http.response import Response

MAX_CHARACTERS: Final = 300

_READ: Final = 2_048
"""Decoded bytes in which these characters are searched: repeated white space does not count."""

_SPACES: Final = re.compile(r"[^\S\n]+")
_LINES: Final = re.compile(r"\s*\n\s*")


def body_start(response: Response) -> str | None:
    """Return the first characters of the body of a response; None if it is empty."""
    body, _ = decode(response.body, response.codings, limit=_READ)
    return first_characters(body)


def first_characters(body: bytes) -> str | None:
    """Return the first characters of decoded bytes without repeated white space."""
    text = body[:_READ].decode(errors="replace").strip()
    return _LINES.sub("\n", _SPACES.sub(" ", text))[:MAX_CHARACTERS] or None
