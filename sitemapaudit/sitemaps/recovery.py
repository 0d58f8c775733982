"""What can be saved of an XML file behind its first fault.

Each entry is cut out by its tags, mended and read by itself, so that a fault
harms no other entry.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from lxml import etree

from sitemapaudit.sitemaps.mending import ASIDE, CLOSERS, mended
from sitemapaudit.sitemaps.xml import CAUTIOUS, MAX_ELEMENT, Element, Root


@dataclass(slots=True, frozen=True)
class Saved:
    """An entry, and the line on which it begins; None if even mending did not help."""

    line: int
    element: Element | None


def recovered(
    chunks: Iterable[bytes], root: Root, tags: tuple[str, ...], encoding: str | None
) -> Iterator[Saved]:
    """Yield the entries of a file that bear one of ``tags``, each as far as it can be read.

    The last one is left out if the file breaks off within it: its loc may be
    half an address.
    """
    declarations = "".join(
        f" xmlns{':' if prefix else ''}{prefix or ''}={quoteattr(uri)}"
        for prefix, uri in root.prefixes.items()
    )
    parser = etree.XMLParser(recover=True, encoding="UTF-8", **CAUTIOUS)
    for line, markup in _Pieces(_texts(chunks, encoding), root, tags):
        piece = f"<piece{declarations}>{mended(markup)}</piece>"
        try:
            tree = etree.fromstring(piece.encode(), parser)
        except etree.XMLSyntaxError:
            yield Saved(line, None)
            continue
        element = next(tree.iter(*tags), None)
        if element is not None:
            lost = any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)
            yield Saved(line, None if lost else element)


def _texts(chunks: Iterable[bytes], encoding: str | None) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(_codec(encoding))(errors="replace")
    for chunk in chunks:
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _codec(encoding: str | None) -> str:
    """Return an encoding that libxml2 and Python both know; UTF-8 if this is none."""
    try:
        etree.XMLParser(encoding=encoding)
        return codecs.lookup(encoding or "UTF-8").name
    except LookupError:
        return "UTF-8"


class _Pieces:
    """The markup of each entry, with its line, in constant memory.

    An entry ends with its end tag; where that is missing, at the next entry or
    at the end of the root. Where a start tag is missing, it is put there.
    """

    def __init__(self, chunks: Iterable[str], root: Root, tags: tuple[str, ...]) -> None:
        self._chunks = chunks
        entries = [*_names(root.prefixes, tags)]
        roots = [*_names(root.prefixes, (_qualified(root),))]
        self._longest = max(map(len, (*entries, *roots, *CLOSERS))) + len("</>")
        self._token = re.compile(
            f"(?P<aside>{ASIDE})|<(?P<close>/?)(?:(?P<entry>{_any_of(entries)})"
            f"|(?P<root>{_any_of(roots)}))(?=[ \\t\\r\\n/>])"
        )
        self._held = ""
        self._position = 0
        self._place: int | None = None
        self._within = False
        self._unclosed = 0
        self._line, self._counted = 1, 0
        self._ended = False

    def __iter__(self) -> Iterator[tuple[int, str]]:
        for chunk in self._chunks:
            self._held += chunk
            yield from self._pieces()
            self._let_go()
        self._ended = True
        yield from self._pieces()

    def _pieces(self) -> Iterator[tuple[int, str]]:
        last = {closer: self._held.rfind(closer) for closer in (*CLOSERS.values(), ">")}
        while token := self._token.search(self._held, self._position):
            aside = token["aside"]
            closer = CLOSERS[aside] if aside else ">"
            if last[closer] >= token.end():
                end = self._held.index(closer, token.end()) + len(closer)
                self._position = end
                if not aside:
                    yield from self._at_tag(token, end)
            elif self._may_still_close(token.start()):
                self._position = token.start()
                return
            else:
                self._position = token.end()
        begun = self._held.rfind("<", max(self._position, len(self._held) - self._longest))
        self._position = begun if begun >= 0 else len(self._held)

    def _may_still_close(self, start: int) -> bool:
        return not self._ended and len(self._held) - start <= MAX_ELEMENT

    def _at_tag(self, token: re.Match[str], end: int) -> Iterator[tuple[int, str]]:
        """Go on at a tag of an entry or of the root, from its first character to ``end``."""
        start, begins = token.start(), bool(token["entry"]) and not token["close"]
        if self._within and self._place is not None and (begins or token["root"]):
            self._unclosed += begins
            yield self._cut(self._place, start)
        if begins and self._held[end - 2 : end] == "/>":
            yield self._cut(start, end)
        elif begins:
            self._place, self._within = start, True
            return
        elif token["entry"] and self._place is not None:
            yield from self._at_end_tag(token["entry"], self._place, end)
        self._place, self._within = end, False

    def _at_end_tag(self, name: str, place: int, end: int) -> Iterator[tuple[int, str]]:
        begin = self._held.index("<", place)
        line, markup = self._cut(begin, end)
        if self._within:
            yield line, markup
        elif self._unclosed:
            self._unclosed -= 1
        elif not markup.startswith(f"</{name}"):
            yield line, f"<{name}>{markup}"

    def _cut(self, begin: int, end: int) -> tuple[int, str]:
        self._count_lines(begin)
        return self._line, self._held[begin:end]

    def _count_lines(self, place: int) -> None:
        self._line += self._held.count("\n", self._counted, place)
        self._counted = place

    def _let_go(self) -> None:
        """Drop what is done with, and an entry that does not end."""
        if self._place is not None and self._position - self._place > MAX_ELEMENT:
            self._place, self._within = None, False
        done = self._position if self._place is None else self._place
        self._count_lines(done)
        self._held = self._held[done:]
        self._position -= done
        self._counted = 0
        self._place = None if self._place is None else 0


def _names(prefixes: dict[str | None, str], tags: Iterable[str]) -> Iterator[str]:
    """Yield the names, prefix and all, that elements with these tags bear in the file."""
    for tag in tags:
        namespace, _, local = tag.removeprefix("{").rpartition("}")
        bound = [prefix for prefix, uri in prefixes.items() if uri == namespace]
        for prefix in bound if namespace else [None]:
            yield f"{prefix}:{local}" if prefix else local


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))


def _qualified(root: Root) -> str:
    return f"{{{root.namespace}}}{root.name}" if root.namespace else root.name
