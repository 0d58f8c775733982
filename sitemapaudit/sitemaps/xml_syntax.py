"""Names and characters of XML.

The patterns are compiled when they are first needed: they take 3 ms each, and few files need them.
"""

import re
from functools import cache
from typing import Final

_NAME_START: Final = (
    ":A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
NAME: Final = rf"[{_NAME_START}][{_NAME_START}.0-9\xb7\u0300-\u036f\u203f\u2040-]*+"
"""A pattern that matches a name (XML 1.0 section 2.3)."""


@cache
def named_entity() -> re.Pattern[str]:
    """Return the pattern of a reference to an entity other than the five predefined ones.

    XML 1.0 section 4.6.
    """
    return re.compile(f"&(?!(?:amp|lt|gt|quot|apos);)({NAME});")


@cache
def forbidden() -> re.Pattern[str]:
    """Return the pattern of a character that XML forbids (XML 1.0 section 2.2)."""
    return re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def has_forbidden(text: str) -> bool:
    """Return whether a text has a character that XML forbids."""
    return not text.isprintable() and forbidden().search(text) is not None
