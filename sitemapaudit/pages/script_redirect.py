"""Redirects that a script makes, and a meta refresh in noscript for clients without scripts."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

_REFRESH: Final = "refresh"
_MOVES: Final = re.compile(r"\blocation(?:\.href)?\s*=[^=]|\blocation\s*\.\s*(?:replace|assign)\b")
"""A script that opens another address."""

_LITERAL: Final = re.compile(r"\"([^\"\\\n]{1,2048})\"|'([^'\\\n]{1,2048})'|`([^`\\$]{1,2048})`")

MAX_SCRIPT: Final = 4_096
"""Characters of a script that makes a redirect; a longer one does more than that."""


def read_noscript_refreshes(noscripts: Iterable[LexborNode]) -> list[str]:
    """Return the contents of the refreshes in noscript, which is text where scripts run."""
    texts = (node.text() for node in noscripts)
    return [
        meta.attributes.get("content") or ""
        for text in texts
        if _REFRESH in text.lower()
        for meta in LexborHTMLParser(text).css("meta[http-equiv=refresh i]")
    ]


def find_addresses(scripts: Sequence[LexborNode]) -> list[str]:
    """Return the texts in scripts that open another address: one of them may be the address."""
    sources = (script.text() for script in scripts)
    moving = (text for text in sources if len(text) <= MAX_SCRIPT and _MOVES.search(text))
    return ["".join(match.groups("")) for text in moving for match in _LITERAL.finditer(text)]
