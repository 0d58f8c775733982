"""The addresses of a sitemap that can be fetched."""

import re
from typing import Final

from sitemapaudit import urls

# An entity that is never expanded, an undecodable character, or broken markup.
_BROKEN: Final = re.compile(
    "[<\N{REPLACEMENT CHARACTER}]|&(?:[^\\W\\d][\\w:.-]*|#[0-9]+|#x[0-9A-Fa-f]+);"
)


def entry_url(written: str, *, unreliable: bool) -> str | None:
    """Normalize an address as written; return None if it is invalid or damaged.

    ``unreliable`` means that the text may contain damage: parts that could not be read.
    """
    if unreliable and _BROKEN.search(written):
        return None
    return urls.normalize(written)
