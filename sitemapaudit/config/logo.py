"""Checks the file of a logo: its size, and its type by its content."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

MAX_BYTES: Final = 300_000
"""The logo is in every report."""

_SIGNATURES: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
}
_SVG: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<svg[\s>]")


def read_logo(given: Any) -> Path | None:
    """Return the file of a logo; raises ValueError if it cannot be one."""
    if given in (None, ""):
        return None
    file = Path(str(given))
    try:
        size = file.stat().st_size
        content = file.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise ValueError(f"{str(file)!r} cannot be read: {error.strerror}") from error
    if size > MAX_BYTES:
        raise ValueError(f"{str(file)!r} has {size:,} bytes; at most {MAX_BYTES:,} are allowed")
    media_type(content)
    return file


def media_type(content: bytes) -> str:
    """Return the type of a picture; raises ValueError if it is none that browsers show."""
    for signature, name in _SIGNATURES.items():
        if content.startswith(signature):
            return name
    if _SVG.match(content[:4_096]):
        return "image/svg+xml"
    raise ValueError("the logo is not a PNG, JPEG or SVG picture")
