"""Checks that a sitemap is UTF-8, as the protocol requires.

Both the declared encodings and the bytes are checked. A UTF-8 byte order mark is allowed, and so
is a declaration of ASCII, which is a subset of UTF-8.
"""

import codecs
from typing import Final

from sitemapaudit.sitemaps.format_detection import SniffResult

_COMPATIBLE: Final = frozenset({"utf-8", "utf8", "us-ascii", "ascii"})


def detect_encoding(sniffed: SniffResult, charset: str | None) -> str | None:
    """Return the encoding of a file, detected from its bytes, otherwise as declared."""
    reliable = sniffed.bom or not _is_compatible(sniffed.encoding)
    detected = sniffed.encoding if reliable else None
    return detected or sniffed.declared or charset


def find_encoding_conflict(sniffed: SniffResult, charset: str | None) -> str | None:
    """Say where an encoding other than UTF-8 appears; return None if it appears nowhere."""
    if not _is_compatible(sniffed.encoding):
        if sniffed.bom:
            return f"it has a {sniffed.encoding} byte order mark"
        return f"its first bytes are {sniffed.encoding}"
    if not _is_compatible(sniffed.declared):
        return f"its XML declaration says {sniffed.declared}"
    return None if _is_compatible(charset) else f"its Content-Type says {charset}"


def _is_compatible(encoding: str | None) -> bool:
    return encoding is None or encoding.lower() in _COMPATIBLE


class Utf8Check:
    """Checks a stream of bytes; ``error`` names the first line with invalid UTF-8."""

    def __init__(self) -> None:
        self.error: str | None = None
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._line = 1
        self._incomplete = False

    def feed(self, chunk: bytes, *, final: bool = False) -> None:
        """Check the next bytes; pass ``final`` with the last ones."""
        if self.error is None and (self._incomplete or not chunk.isascii()):
            self._decode(chunk, final=final)
        self._line += chunk.count(b"\n")

    def _decode(self, chunk: bytes, *, final: bool) -> None:
        try:
            self._decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            line = self._line + error.object.count(b"\n", 0, error.start)
            self.error = f"line {line:,} has invalid bytes"
        else:
            self._incomplete = bool(self._decoder.getstate()[0])
