"""Whether a sitemap is UTF-8, as the protocol demands, in what it says of itself and in its bytes.

A byte order mark alone does no harm, and neither does a claim to be ASCII,
which is a part of UTF-8.
"""

from __future__ import annotations

import codecs
from typing import Final

from sitemapaudit.sitemaps.sniffing import Sniffed

_HARMLESS: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})


def encoding_of(sniffed: Sniffed, charset: str | None) -> str | None:
    """Return the encoding that a file says it has, or that its first bytes tell."""
    told = sniffed.encoding if sniffed.bom or not _harmless(sniffed.encoding) else None
    return told or sniffed.declared or charset


def other_encoding(sniffed: Sniffed, charset: str | None) -> str | None:
    """Say what tells of another encoding than UTF-8; None if nothing does."""
    if not _harmless(sniffed.encoding):
        sign = "byte order mark is that" if sniffed.bom else "first bytes are those"
        return f"its {sign} of {sniffed.encoding}"
    if not _harmless(sniffed.declared):
        return f"its XML declaration names {sniffed.declared}"
    return None if _harmless(charset) else f"Content-Type names {charset}"


def _harmless(encoding: str | None) -> bool:
    return encoding is None or encoding.lower() in _HARMLESS


class Utf8Check:
    """Looks at bytes as they go by; ``fault`` says where the first are that are not UTF-8."""

    def __init__(self) -> None:
        self.fault: str | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._line = 1
        self._split = False

    def take(self, piece: bytes, *, final: bool = False) -> None:
        """Look at the next bytes; ``final`` if no others follow."""
        if self.fault is None and (self._split or not piece.isascii()):
            self._decode(piece, final=final)
        self._line += piece.count(b"\n")

    def _decode(self, piece: bytes, *, final: bool) -> None:
        try:
            self._decoder.decode(piece, final)
        except UnicodeDecodeError as error:
            line = self._line + error.object.count(b"\n", 0, error.start)
            self.fault = f"line {line:,} has bytes that are not valid"
        else:
            self._split = bool(self._decoder.getstate()[0])
