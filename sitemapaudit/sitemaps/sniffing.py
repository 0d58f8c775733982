"""What a file is, told by its first bytes and never by its name."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HEAD: Final = 65_536
"""Bytes looked at, from where the file begins."""

MAX_SPACE: Final = 1_048_576
"""Bytes of white space behind which a file is still found."""

SPACE: Final = b" \t\n\v\f\r\0" + codecs.BOM_UTF8 + codecs.BOM_UTF16
"""Bytes of white space and of byte order marks in any encoding."""

_ARCHIVES: Final = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x28\xb5\x2f\xfd": "zstd",
}
ARCHIVES: Final = frozenset({*_ARCHIVES.values(), "tar"})
"""Forms of files that hold packed ones in a way that engines do not read."""

_TAR_OFFSET: Final = 257
_TAR_MAGICS: Final = (b"ustar\x0000", b"ustar  \x00")
_BOMS: Final = {
    codecs.BOM_UTF8: "UTF-8",
    codecs.BOM_UTF16_LE: "UTF-16LE",
    codecs.BOM_UTF16_BE: "UTF-16BE",
}
_BARE_UTF16: Final = {b"<\x00?\x00": "UTF-16LE", b"\x00<\x00?": "UTF-16BE"}
_HTML: Final = re.compile(
    r"\s*(?><!--.*?-->\s*)*+<(?:!doctype\s+html|html|head|title|meta|body|script|h1|center)\b",
    re.IGNORECASE | re.DOTALL,
)
_ELEMENT: Final = re.compile(r"\s*<[!?A-Za-z_]")
_DECLARATION: Final = re.compile(r"<\?xml\s")
_DECLARED: Final = re.compile(r"<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z][\w.-]*)[\"']", re.ASCII)
_DOCTYPE: Final = re.compile(r"(?:\s|<!--.*?-->|<\?.*?\?>)*+<!(?:DOCTYPE|ENTITY)\b", re.DOTALL)
_WIDE: Final = re.compile(r"utf-?(16|32)|ucs|iso-10646", re.IGNORECASE)
_ADDRESS_LINE: Final = re.compile(r"^[^\S\n]*https?://\S", re.IGNORECASE | re.MULTILINE)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class Form(StrEnum):
    """The first impression of a file."""

    EMPTY = "empty"
    ARCHIVE = "archive"
    HTML = "html"
    XML = "xml"
    TEXT = "text"
    PROSE = "prose"
    BINARY = "binary"


@dataclass(slots=True)
class Sniffed:
    """The form of a file, and where it begins.

    ``start`` bytes are to be passed over: a byte order mark, and what stands
    before the XML declaration or the first element; ``leading`` counts the
    characters before a declaration, ``lines`` the line breaks of what is passed
    over, and ``column`` the characters behind the last of these. ``bom`` says that there
    is a byte order mark; ``encoding`` is told by the bytes, and ``declared`` by
    the XML declaration. ``doctype`` says that one precedes the root element.
    """

    form: Form
    bom: bool = False
    encoding: str | None = None
    declared: str | None = None
    start: int = 0
    leading: int = 0
    lines: int = 0
    column: int = 0
    doctype: bool = False
    archive: str | None = None


def sniff(head: bytes) -> Sniffed:
    """Look at the first bytes of a decoded file."""
    archive = _archive(head)
    if archive:
        return Sniffed(Form.ARCHIVE, archive=archive)
    bom, encoding = _encoding(head)
    # Bytes that are no characters must not change where the rest of the file begins.
    codec = (encoding, "replace") if encoding else ("utf-8", "surrogateescape")
    text = head[bom:].decode(*codec)
    sniffed = Sniffed(_form(text), bom > 0, encoding, start=bom)
    if sniffed.form is Form.XML:
        before = text[: _leading(text)]
        # Without a declaration, white space may come first (XML 1.0 section 2.8).
        sniffed.leading = len(before) if _DECLARATION.match(text, len(before)) else 0
        sniffed.lines = before.count("\n")
        sniffed.column = len(before) - (before.rfind("\n") + 1)
        sniffed.start += len(before.encode(*codec))
        _read_prolog(sniffed, text[len(before) :])
    return sniffed


def _read_prolog(sniffed: Sniffed, text: str) -> None:
    """Note the declared encoding, which cannot be a wide one where the bytes are not; a DOCTYPE."""
    sniffed.doctype = _DOCTYPE.match(text) is not None
    match = _DECLARED.match(text)
    sniffed.declared = match[1] if match else None
    if sniffed.encoding is None and match and _WIDE.match(match[1]):
        sniffed.encoding = "UTF-8"


def _archive(head: bytes) -> str | None:
    for magic, name in _ARCHIVES.items():
        if head.startswith(magic):
            return name
    return "tar" if head[_TAR_OFFSET:].startswith(_TAR_MAGICS) else None


def _encoding(head: bytes) -> tuple[int, str | None]:
    for bom, name in _BOMS.items():
        if head.startswith(bom):
            return len(bom), name
    return 0, _BARE_UTF16.get(head[:4])


def _form(text: str) -> Form:
    if not text.strip():
        return Form.EMPTY
    if _HTML.match(text):
        return Form.HTML
    if _ELEMENT.match(text) or _DECLARATION.search(text, 0, 4096):
        return Form.XML
    if _ADDRESS_LINE.search(text):
        return Form.TEXT
    return Form.BINARY if _CONTROL.search(text) else Form.PROSE


def _leading(text: str) -> int:
    """Characters before ``<?xml``, which must come first (XML 1.0 section 2.8)."""
    declaration = _DECLARATION.search(text, 0, 4096)
    if declaration and not _is_quoted(text[: declaration.start()]):
        return declaration.start()
    return len(text) - len(text.lstrip())


def _is_quoted(before: str) -> bool:
    """Whether what follows stands in a comment or in a CDATA section."""
    return before.rfind("<!--") > before.rfind("-->") or before.rfind("<![") > before.rfind("]]>")
