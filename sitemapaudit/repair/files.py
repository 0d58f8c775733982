"""Writes the sitemaps of one origin, within the limits, and an index if there are several."""

import gzip
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final, Self
from urllib.parse import unquote, urlsplit
from xml.sax.saxutils import escape

from sitemapaudit.sitemaps.dialects import NAMESPACE
from sitemapaudit.sitemaps.extensions import IMAGE, NEWS, VIDEO, XHTML
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES, MAX_ENTRIES

MAX_NEWS: Final = 1_000
"""Limit for entries per file with news (Google, News sitemaps)."""

NEAR: Final = 0.85
"""The used share of each limit, so that files have room to grow."""

SITEMAP: Final = "sitemap"
"""The name of the only file of an origin, or of its index."""

ADDITIONS: Final = "additional-entries"
"""The same, if the sitemaps of the origin were not read: it must not replace them."""

_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_BINDINGS: Final = {
    "images": f' xmlns:image="{IMAGE}"',
    "videos": f' xmlns:video="{VIDEO}"',
    "news": f' xmlns:news="{NEWS}"',
    "alternates": f' xmlns:xhtml="{XHTML}"',
}
_TAIL: Final = "</urlset>\n"
_UNSAFE: Final = re.compile("[^A-Za-z0-9_-]+")
_MAX_NAME: Final = 80
"""The limit for a file name before its number; file systems allow about 250 bytes."""

_SUFFIXES: Final = (".gz", ".xml", ".txt", ".rss", ".atom", ".php")


class _GzipFile(gzip.GzipFile):
    """Compresses into a file, and closes that file too."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__("", "wb", fileobj=file, mtime=0)
        self._raw = file

    def close(self) -> None:
        """Close both files."""
        try:
            super().close()
        finally:
            self._raw.close()


class OriginFiles:
    """Writes the entries of one origin, grouped by sitemap; a context manager.

    ``address`` is where the files belong, without a slash at its end; ``name`` is that of the only
    file, or of the index.
    """

    def __init__(self, folder: Path, address: str, *, packed: bool, name: str = SITEMAP) -> None:
        self.names: list[str] = []
        self._folder = folder
        self._address = address
        self._ending = ".xml.gz" if packed else ".xml"
        self._packed = packed
        self._source: str | None = None
        self._file: BinaryIO | gzip.GzipFile | None = None
        self._size = self._entries = 0
        self._name = name
        self._taken: set[str] = {name}
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, source: str, extensions: Sequence[str], element: str) -> None:
        """Write an entry that comes from a sitemap, into a new file if the current one is full.

        ``extensions`` are those of the entries of the sitemap.
        """
        data = element.encode()
        max_entries = int(NEAR * (MAX_NEWS if "news" in extensions else MAX_ENTRIES))
        full = self._entries >= max_entries or self._size + len(data) > NEAR * MAX_BYTES
        if source != self._source or full:
            self._begin(source, extensions)
        assert self._file is not None
        self._file.write(data)
        self._size += len(data)
        self._entries += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()
        if kind is None:
            self._index()

    def _begin(self, source: str, extensions: Sequence[str]) -> None:
        self._end()
        self._source = source
        name = self._free_name(_stem(source))
        self.names.append(name)
        self._file = self._open(name)
        bindings = "".join(_BINDINGS[name] for name in extensions)
        head = f'{_DECLARATION}<urlset xmlns="{NAMESPACE}"{bindings}>\n'
        self._file.write(head.encode())
        self._size, self._entries = len(head) + len(_TAIL), 0

    def _end(self) -> None:
        if self._file is not None:
            self._file.write(_TAIL.encode())
            self._file.close()
            self._file = None

    def _open(self, name: str) -> BinaryIO | gzip.GzipFile:
        file = (self._folder / name).open("wb")
        # Without a name and a time inside, the same entries result in the same bytes.
        return _GzipFile(file) if self._packed else file

    def _free_name(self, stem: str) -> str:
        """Return an unused name, ignoring case; that of the index is reserved."""
        for name in numbered("entries" if stem == self._name else stem):
            if name.lower() not in self._taken:
                self._taken.add(name.lower())
                return name + self._ending
        raise AssertionError("numbered() is infinite")

    def _index(self) -> None:
        """Give a single file the name of the files; list several in an index of this name."""
        if len(self.names) == 1:
            only = self._folder / self.names[0]
            self.names = [self._name + self._ending]
            only.replace(self._folder / self.names[0])
        elif self.names:
            lines = "".join(
                f"<sitemap><loc>{escape(f'{self._address}/{name}')}</loc></sitemap>\n"
                for name in self.names
            )
            index = f'{_DECLARATION}<sitemapindex xmlns="{NAMESPACE}">\n{lines}</sitemapindex>\n'
            (self._folder / f"{self._name}.xml").write_text(index, encoding="utf-8")
            self.names.insert(0, f"{self._name}.xml")


def _stem(source: str) -> str:
    """Return a safe file name, derived from that of the sitemap."""
    name = unquote(urlsplit(source).path).rpartition("/")[2]
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return _UNSAFE.sub("-", name).strip("-")[:_MAX_NAME] or "entries"


def numbered(stem: str) -> Iterator[str]:
    """Yield a name, then the name with each number from 2 on."""
    yield stem
    number = 2
    while True:
        yield f"{stem}-{number}"
        number += 1
