"""Text sitemaps: one address per line (sitemaps.org, "Text file")."""

import codecs
import io
from collections.abc import Iterable, Iterator
from typing import Final

from sitemapaudit.caps import MAX_TEXT

MAX_LINE: Final = MAX_TEXT + 1
"""Characters of a line that are kept; the rest of a longer line is ignored."""


def read_lines(chunks: Iterable[bytes], encoding: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that is not blank, in constant memory.

    CR, LF and CRLF end a line; undecodable bytes become U+FFFD.
    """
    number, pending = 1, ""
    for text in _decode(chunks, encoding):
        *finished, rest = (pending + text).split("\n")
        for line in finished:
            if line.strip():
                yield number, line[:MAX_LINE]
            number += 1
        pending = rest[:MAX_LINE]
    if pending.strip():
        yield number, pending


def _decode(chunks: Iterable[bytes], encoding: str) -> Iterator[str]:
    characters = codecs.getincrementaldecoder(encoding)(errors="replace")
    decoder = io.IncrementalNewlineDecoder(characters, translate=True)
    for chunk in chunks:
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)
