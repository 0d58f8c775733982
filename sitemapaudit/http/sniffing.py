"""Detection from the first bytes of a body: byte order marks, and HTML."""

import codecs
import re
from typing import Final

BYTE_ORDER_MARKS: Final = {
    codecs.BOM_UTF8: "UTF-8",
    codecs.BOM_UTF16_LE: "UTF-16LE",
    codecs.BOM_UTF16_BE: "UTF-16BE",
}
"""The encoding that each byte order mark stands for."""

_HTML: Final = re.compile(
    r"\s*+(?>(?><!--.*?-->)\s*)*+<(?:!doctype\s+html|html|head|title|meta|body|script|h1|center)\b",
    re.IGNORECASE | re.DOTALL,
)
_SNIFFED_BYTES: Final = 1_024


def starts_as_html(text: str) -> bool:
    """Return whether a text without a byte order mark begins like an HTML document."""
    return _HTML.match(text) is not None


def looks_like_html(body: bytes) -> bool:
    """Return whether a body begins like an HTML document, ignoring a UTF-8 byte order mark."""
    head = body[:_SNIFFED_BYTES].removeprefix(codecs.BOM_UTF8)
    return starts_as_html(head.decode("utf-8", errors="replace"))
