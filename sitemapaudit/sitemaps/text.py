"""Text sitemaps: one address a line (sitemaps.org, "Text file")."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable, Iterator
from typing import Final

MAX_LINE: Final = 65_536
"""Characters of a line that are kept; the rest of such a line is passed over."""


def numbered_lines(chunks: Iterable[bytes], encoding: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line that is not blank, in constant memory.

    CR, LF and CRLF end a line; a byte that is no character becomes U+FFFD.
    """
    number, held = 1, ""
    for text in _texts(chunks, encoding):
        *finished, rest = (held + text).split("\n")
        for line in finished:
            if line.strip():
                yield number, line[:MAX_LINE]
            number += 1
        held = rest[:MAX_LINE]
    if held.strip():
        yield number, held


def _texts(chunks: Iterable[bytes], encoding: str) -> Iterator[str]:
    characters = codecs.getincrementaldecoder(encoding)(errors="replace")
    decoder = io.IncrementalNewlineDecoder(characters, translate=True)
    for chunk in chunks:
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)
