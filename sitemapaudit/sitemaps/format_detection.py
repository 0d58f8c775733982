"""Detects the format of a file from its first bytes, never from its name."""

import re
from enum import StrEnum
from typing import Final

from msgspec import Struct

from sitemapaudit.http.sniffing import BYTE_ORDER_MARKS, starts_as_html
from sitemapaudit.sitemaps.leading_content import (
    MAX_LEADING,
    find_root_behind_text,
    is_quoted,
)

HEAD: Final = 65_536
"""Bytes that are examined, from the first byte that is not white space."""

MAX_SPACE: Final = 1_048_576
"""Bytes of leading white space that are skipped at most."""

SPACE: Final = b" \t\n\v\f\r\0" + b"".join(BYTE_ORDER_MARKS)
"""The bytes of white space and of byte order marks, in any encoding."""

_ARCHIVES: Final = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"BZh": "bz2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"\x28\xb5\x2f\xfd": "zstd",
}
ARCHIVES: Final = frozenset({*_ARCHIVES.values(), "tar"})
"""Archive and compression formats that search engines do not read."""

_TAR_OFFSET: Final = 257
_TAR_MAGICS: Final = (b"ustar\x0000", b"ustar  \x00")
_BARE_UTF16: Final = {b"<\x00?\x00": "UTF-16LE", b"\x00<\x00?": "UTF-16BE"}
_ELEMENT: Final = re.compile(r"\s*<[!?A-Za-z_]")
_DECLARATION: Final = re.compile(r"<\?xml\s")
_DECLARED: Final = re.compile(r"<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z][\w.-]*)[\"']", re.ASCII)
_DOCTYPE: Final = re.compile(r"(?:\s|<!--.*?-->|<\?.*?\?>)*+<!(?:DOCTYPE|ENTITY)\b", re.DOTALL)
_WIDE: Final = re.compile(r"utf-?(16|32)|ucs|iso-10646", re.IGNORECASE)
_ADDRESS_LINE: Final = re.compile(r"^[^\S\n]*https?://\S", re.IGNORECASE | re.MULTILINE)
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


class FileFormat(StrEnum):
    """The format of a file, before it is parsed."""

    EMPTY = "empty"
    ARCHIVE = "archive"
    HTML = "html"
    XML = "xml"
    TEXT = "text"
    PROSE = "prose"
    BINARY = "binary"


class SniffResult(Struct):
    """The format of a file, and where its content starts.

    The first ``start`` bytes must be skipped: a byte order mark, and anything before the XML
    declaration or the first element. ``lines`` counts the line breaks in these bytes, ``column``
    the characters after the last of these line breaks. ``leading_chars`` counts the characters
    that must not precede the XML. ``bom`` means that there is a byte order mark. ``encoding`` is
    detected from the bytes, ``declared`` comes from the XML declaration. ``doctype`` means that
    a DOCTYPE or an ENTITY declaration precedes the root element.
    """

    format: FileFormat
    bom: bool = False
    encoding: str | None = None
    declared: str | None = None
    start: int = 0
    leading_chars: int = 0
    lines: int = 0
    column: int = 0
    doctype: bool = False
    archive: str | None = None


def sniff(head: bytes) -> SniffResult:
    """Detect the format of a decoded file from its first bytes."""
    archive = _detect_archive(head)
    if archive:
        return SniffResult(FileFormat.ARCHIVE, archive=archive)
    bom, encoding = _detect_encoding(head)
    # Undecodable bytes must not shift the start of the rest of the file.
    codec = (encoding, "replace") if encoding else ("utf-8", "surrogateescape")
    text = head[bom:].decode(*codec)
    xml = None if starts_as_html(text) else _find_late_xml(text)
    detected = _detect_format(text) if xml is None else FileFormat.XML
    sniffed = SniffResult(detected, bom > 0, encoding, start=bom)
    if sniffed.format is FileFormat.XML:
        # White space may come first if there is no declaration (XML 1.0 section 2.8).
        before = text[: len(text) - len(text.lstrip()) if xml is None else xml]
        sniffed.leading_chars = 0 if xml is None else len(before)
        sniffed.lines = before.count("\n")
        sniffed.column = len(before) - (before.rfind("\n") + 1)
        sniffed.start += len(before.encode(*codec))
        _read_prolog(sniffed, text[len(before) :])
    return sniffed


def _read_prolog(sniffed: SniffResult, text: str) -> None:
    """Record a DOCTYPE and the declared encoding.

    A declared UTF-16 or UTF-32 is false if the bytes were read as single bytes: they are UTF-8.
    """
    sniffed.doctype = _DOCTYPE.match(text) is not None
    match = _DECLARED.match(text)
    sniffed.declared = match[1] if match else None
    if sniffed.encoding is None and match and _WIDE.match(match[1]):
        sniffed.encoding = "UTF-8"


def _detect_archive(head: bytes) -> str | None:
    for magic, name in _ARCHIVES.items():
        if head.startswith(magic):
            return name
    return "tar" if head[_TAR_OFFSET:].startswith(_TAR_MAGICS) else None


def _detect_encoding(head: bytes) -> tuple[int, str | None]:
    for bom, name in BYTE_ORDER_MARKS.items():
        if head.startswith(bom):
            return len(bom), name
    return 0, _BARE_UTF16.get(head[:4])


def _detect_format(text: str) -> FileFormat:
    if not text.strip():
        return FileFormat.EMPTY
    if starts_as_html(text):
        return FileFormat.HTML
    if _ELEMENT.match(text) or _DECLARATION.search(text, 0, MAX_LEADING):
        return FileFormat.XML
    if _ADDRESS_LINE.search(text):
        return FileFormat.TEXT
    return FileFormat.BINARY if _CONTROL.search(text) else FileFormat.PROSE


def _find_late_xml(text: str) -> int | None:
    """Return where the XML begins if it does not come first, as it must.

    The declaration, if there is one, comes first (XML 1.0 section 2.8).
    """
    first = len(text) - len(text.lstrip())
    declaration = _DECLARATION.match(text, first) or _DECLARATION.search(text, 0, MAX_LEADING)
    if declaration and not is_quoted(text[: declaration.start()]):
        return declaration.start()
    return find_root_behind_text(text)
