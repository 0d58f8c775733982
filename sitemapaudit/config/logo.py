"""Reads an image file as a data URI, for the logo of the report."""

import base64
import binascii
import re
from pathlib import Path
from typing import Any, Final

MAX_BYTES: Final = 300_000
"""The limit for a logo, which every report contains."""

_SIGNATURES: Final = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
}
_SVG: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<svg[\s>]")
_DATA: Final = re.compile(r"data:image/[a-z+]+;base64,")


def read_logo(given: Any) -> str:
    """Return a logo as a data URI; empty if there is none.

    ``given`` is a file, or the data URI from run.json, because the file may no longer exist. Raises
    ValueError if it is not a logo.
    """
    text = str(given or "")
    if not text:
        return ""
    found = _DATA.match(text)
    content = _decode(text[found.end() :]) if found else _read(Path(text))
    return f"data:{_media_type(content)};base64,{base64.b64encode(content).decode()}"


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ValueError("the data URI is not valid base64") from None


def _read(file: Path) -> bytes:
    try:
        size = file.stat().st_size
        content = file.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise ValueError(f"{str(file)!r} cannot be read: {error.strerror}") from error
    if size > MAX_BYTES:
        raise ValueError(f"{str(file)!r} has {size:,} bytes; at most {MAX_BYTES:,} are allowed")
    return content


def _media_type(content: bytes) -> str:
    """Return the type of a picture; raises ValueError if browsers do not show it."""
    for signature, name in _SIGNATURES.items():
        if content.startswith(signature):
            return name
    if _SVG.match(content[:4_096]):
        return "image/svg+xml"
    raise ValueError("the logo is not a PNG, JPEG or SVG picture")
