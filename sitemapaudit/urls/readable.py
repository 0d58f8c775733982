"""International host names in their own letters."""

import re
import unicodedata
from typing import Final

import ada_url

_LABEL: Final = re.compile(r"(?:^|(?<=\.))xn--[a-z0-9-]{1,59}(?![a-z0-9-])")
"""An encoded label; DNS allows at most 63 bytes (RFC 1035 section 2.3.4)."""

_LETTERS: Final = ("L", "M", "N")
"""The first letters of the Unicode categories of letters, marks and numbers."""


def readable_host(host: str) -> str:
    """Return a host with its labels in their own letters, if they have only letters.

    ``xn--bcher-kva.example`` becomes ``bücher.example``. A port stays.
    """
    return _LABEL.sub(_decode, host)


def _decode(match: re.Match[str]) -> str:
    label = match[0]
    decoded = ada_url.idna_to_unicode(label.encode())
    has_letters = all(unicodedata.category(each)[0] in _LETTERS or each == "-" for each in decoded)
    return decoded if has_letters and ada_url.idna_to_ascii(decoded) == label.encode() else label
