"""Which addresses of a sitemap can be asked for."""

from __future__ import annotations

import re
from typing import Final

from sitemapaudit import urls

# An entity that is never expanded, a character that could not be read, markup that is broken.
_BROKEN: Final = re.compile(
    "[<\N{REPLACEMENT CHARACTER}]|&(?:[^\\W\\d][\\w:.-]*|#[0-9]+|#x[0-9A-Fa-f]+);"
)


def url_of(written: str, *, doubtful: bool) -> str | None:
    """Normalise an address as it is written, None if it is none, or one that nobody meant.

    ``doubtful`` says that it may hold what could not be read.
    """
    if doubtful and _BROKEN.search(written):
        return None
    return urls.normalise(written)
