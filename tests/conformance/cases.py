"""The cases of the suite, and the files that a server of a case delivers."""

import base64
import bz2
import io
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import brotli
import msgspec

HERE: Final = Path(__file__).parent
Facts = dict[str, Any]
"""Facts about a sitemap, a site or a page, by their names."""

_HTML: Final = "text/html; charset=utf-8"
_TYPES: Final = {
    ".xml": "application/xml",
    ".gz": "application/gzip",
    ".txt": "text/plain; charset=utf-8",
    ".zip": "application/zip",
    ".bz2": "application/x-bzip2",
}


class Reply(msgspec.Struct):
    """What a server sends for one path; each header has one or more lines."""

    status: int
    headers: dict[str, list[str]]
    body: bytes


HOME: Final = Reply(200, {"Content-Type": [_HTML]}, b"<!doctype html><title>Home</title>\n")
"""The reply for ``/`` if the case does not have such a file: some programs request it first."""

MISSING: Final = Reply(404, {"Content-Type": ["text/plain"]}, b"")


class Repeat(msgspec.Struct, forbid_unknown_fields=True):
    """A text that replaces ``{repeat}``, ``count`` times; ``{n}`` in it counts from 1."""

    text: str
    count: int


class File(msgspec.Struct, forbid_unknown_fields=True):
    """A file of a case, as the README describes it."""

    status: int = 200
    headers: dict[str, str | list[str]] = {}
    body: str = ""
    base64: str | None = None
    encoding: str = "utf-8"
    bom: bool = False
    repeat: Repeat | None = None
    fill: int | None = None
    compression: list[str] = []
    members: int = 1
    gzip_name: str | None = None
    gzip_comment: str | None = None
    cut: int = 0
    append: str = ""

    def reply(self, path: str, values: Mapping[str, str]) -> Reply:
        """Return what a server sends; ``values`` replace the placeholders."""
        lines = {
            name: [_filled(line, values) for line in ([value] if isinstance(value, str) else value)]
            for name, value in self.headers.items()
        }
        suffix = Path(path.partition("?")[0]).suffix
        headers = {"Content-Type": [_TYPES.get(suffix, _HTML)], **lines}
        return Reply(self.status, headers, self._compressed(self._content(values)))

    def _content(self, values: Mapping[str, str]) -> bytes:
        if self.base64 is not None:
            return base64.b64decode(self.base64)
        text = ("\ufeff" if self.bom else "") + self.body
        if self.repeat is not None:
            parts = (
                self.repeat.text.replace("{n}", str(n)) for n in range(1, self.repeat.count + 1)
            )
            text = text.replace("{repeat}", "".join(parts))
        content = _filled(text, values).encode(self.encoding)
        if self.fill is not None:
            room = self.fill - len(content) + len(b"{repeat}")
            content = content.replace(b"{repeat}", b"x" * room)
        return content

    def _compressed(self, content: bytes) -> bytes:
        for name in self.compression:
            content = self._compress(name, content)
        return content[: len(content) - self.cut] + self.append.encode("latin-1")

    def _compress(self, name: str, content: bytes) -> bytes:
        if name not in ("gzip", "gzip-stored"):
            return _COMPRESSIONS[name](content)
        size = len(content) // self.members + 1
        pieces = [content[at : at + size] for at in range(0, len(content), size)] or [b""]
        return b"".join(self._gzip_member(piece, stored=name != "gzip") for piece in pieces)

    def _gzip_member(self, content: bytes, *, stored: bool) -> bytes:
        """Return a member of a gzip file (RFC 1952 section 2.3), the same at any time."""
        texts = {8: self.gzip_name, 16: self.gzip_comment}
        flags = sum(flag for flag, text in texts.items() if text is not None)
        header = b"\x1f\x8b\x08" + bytes([flags, 0, 0, 0, 0, 0, 255])
        named = b"".join(text.encode("latin-1") + b"\0" for text in texts.values() if text)
        trailer = zlib.crc32(content).to_bytes(4, "little") + len(content).to_bytes(4, "little")
        return header + named + _deflate(content, level=0 if stored else 1) + trailer


class Case(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One case: files, and the facts that a program should find in them."""

    id: str
    level: str
    source: str
    section: str
    says: str
    files: dict[str, File]
    kind: str = ""
    start: str = ""
    long: int | None = None
    needs: list[str] = []
    expect: Facts | None = None
    accept: list[Facts] | None = None
    topic: str = ""

    def values(self, site: str) -> dict[str, str]:
        """Return the values of the placeholders on a server with this origin."""
        return {"{site}": site, "{long}": "x" * ((self.long or 0) - len(site) - 1)}

    def replies(self, site: str) -> dict[str, Reply]:
        """Return the replies of a server with this origin, by path and query."""
        values = self.values(site)
        return {path: file.reply(path, values) for path, file in self.files.items()}

    def acceptable(self, site: str) -> list[Facts]:
        """Return the results of which a program must have one."""
        found = self.accept if self.accept is not None else [self.expect or {}]
        values = self.values(site)
        return [{name: _filled_fact(fact, values) for name, fact in each.items()} for each in found]


class _Topic(msgspec.Struct, forbid_unknown_fields=True):
    topic: str
    kind: str
    start: str
    case: list[Case]


class Suite(msgspec.Struct, forbid_unknown_fields=True):
    """The version of the suite, and its topics in their order."""

    version: str
    topics: dict[str, str]


def read_suite() -> Suite:
    """Read the file that describes the suite."""
    return msgspec.convert(tomllib.loads((HERE / "suite.toml").read_text("utf-8")), Suite)


def read_cases(topic: str) -> list[Case]:
    """Read the cases of a topic."""
    text = (HERE / "cases" / f"{topic}.toml").read_text("utf-8")
    read = msgspec.convert(tomllib.loads(text), _Topic)
    for case in read.case:
        case.topic = topic
        case.kind, case.start = case.kind or read.kind, case.start or read.start
    return read.case


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _filled_fact(fact: Any, values: Mapping[str, str]) -> Any:
    if isinstance(fact, str):
        return _filled(fact, values)
    if isinstance(fact, list):
        return [_filled_fact(each, values) for each in fact]
    if isinstance(fact, dict):
        return {_filled(key, values): _filled_fact(each, values) for key, each in fact.items()}
    return fact


def _deflate(content: bytes, level: int = 6, wbits: int = -15) -> bytes:
    compressor = zlib.compressobj(level, wbits=wbits)
    return compressor.compress(content) + compressor.flush()


def _zip(content: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(zipfile.ZipInfo("sitemap.xml"), content)
    return archive.getvalue()


_COMPRESSIONS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "deflate": lambda content: _deflate(content, wbits=15),
    "raw-deflate": _deflate,
    "br": brotli.compress,
    "zip": _zip,
    "bz2": bz2.compress,
}
