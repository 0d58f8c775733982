"""What can be saved of an XML file behind its first fault.

Each entry is cut out by its tags, mended and read by itself, so that a fault
harms no other entry.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Generator, Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from lxml import etree

from sitemapaudit.sitemaps.mending import ASIDE, CLOSERS, mended
from sitemapaudit.sitemaps.xml import CAUTIOUS, MAX_ELEMENT, Element, Root, tag_of


class Saved(NamedTuple):
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
    found = _Tags(root, tags).of(_texts(chunks, encoding))
    for line, markup in _Pieces().of(found):
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


class _Kind(Enum):
    """What a tag is: one of an entry, one of the root, or just the end of what is known yet."""

    BEGIN = auto()
    END = auto()
    EMPTY = auto()
    ROOT = auto()
    NONE = auto()


class _Tag(NamedTuple):
    """A tag, and the text between the tag before it and this one."""

    before: str
    kind: _Kind
    markup: str = ""
    name: str = ""


class _Tags:
    """Finds the tags of entries and of the root in a text, in constant memory.

    What looks like a tag within a comment, CDATA or a processing instruction
    is none, unless that is never closed.
    """

    def __init__(self, root: Root, tags: tuple[str, ...]) -> None:
        entries = [*_names(root.prefixes, tags)]
        roots = [*_names(root.prefixes, (tag_of(root.namespace, root.name),))]
        self._longest = max(map(len, (*entries, *roots, *CLOSERS))) + len("</>")
        self._token = re.compile(
            f"(?P<aside>{ASIDE})|<(?P<close>/?)(?:(?P<entry>{_any_of(entries)})"
            f"|(?P<root>{_any_of(roots)}))(?=[ \\t\\r\\n/>])"
        )

    def of(self, texts: Iterable[str]) -> Iterator[_Tag]:
        """Yield the tags of a text that comes in pieces."""
        held = ""
        for text in texts:
            held = yield from self._find(held + text, final=False)
        yield from self._find(held, final=True)

    def _find(self, text: str, *, final: bool) -> Generator[_Tag, None, str]:
        """Yield the tags that are whole; return the end of the text, which may be half of one."""
        last = {closer: text.rfind(closer) for closer in (*CLOSERS.values(), ">")}
        done = position = 0
        while token := self._token.search(text, position):
            start, position = token.span()
            closer = CLOSERS.get(token["aside"], ">")
            if last[closer] >= position:
                position = text.index(closer, position) + len(closer)
                if not token["aside"]:
                    yield _tag(token, text[done:start], text[start:position])
                    done = position
            elif not final and len(text) - start <= MAX_ELEMENT:
                break  # Else it never closes, and so it is nothing.
        else:
            begun = text.rfind("<", max(position, len(text) - self._longest))
            start = len(text) if final or begun < 0 else begun
        yield _Tag(text[done:start], _Kind.NONE)
        return text[start:]


def _tag(token: re.Match[str], before: str, markup: str) -> _Tag:
    if token["root"]:
        kind = _Kind.ROOT
    elif token["close"]:
        kind = _Kind.END
    else:
        kind = _Kind.EMPTY if markup.endswith("/>") else _Kind.BEGIN
    return _Tag(before, kind, markup, token["entry"] or "")


class _Pieces:
    """Puts the markup of each entry together, with its line, in constant memory.

    An entry ends with its end tag; where that is missing, at the next entry or
    at the end of the root. Where a start tag is missing, it is put there: an
    end tag by itself ends what stands behind the tag before it.
    """

    def __init__(self) -> None:
        self._held: list[str] | None = None  # Since the last tag; None where nothing begins.
        self._size = 0
        self._begun = self._line = 1
        self._within = False
        self._unclosed = 0

    def of(self, tags: Iterable[_Tag]) -> Iterator[tuple[int, str]]:
        """Yield line and markup of each entry."""
        for tag in tags:
            self._hold(tag.before)
            line = self._line = self._line + tag.before.count("\n")
            if tag.kind is _Kind.NONE:
                continue
            yield from self._at_tag(tag)
            self._line += tag.markup.count("\n")
            if tag.kind is _Kind.BEGIN:
                self._start([tag.markup], line, within=True)
            else:
                self._start([], self._line)

    def _start(self, held: list[str] | None, line: int, *, within: bool = False) -> None:
        self._held, self._size, self._begun, self._within = held, 0, line, within

    def _hold(self, markup: str) -> None:
        if self._held is not None:
            self._held.append(markup)
            self._size += len(markup)
            if self._size > MAX_ELEMENT:
                self._start(None, self._line)

    def _at_tag(self, tag: _Tag) -> Iterator[tuple[int, str]]:
        """Yield the entry that ends in front of a tag or with it, and one that is just a tag."""
        if tag.kind is _Kind.END:
            if self._held is not None:
                yield from self._at_end_tag(tag, "".join(self._held))
            return
        if self._within and self._held is not None:
            self._unclosed += tag.kind is not _Kind.ROOT
            yield self._begun, "".join(self._held)
        if tag.kind is _Kind.EMPTY:
            yield self._line, tag.markup

    def _at_end_tag(self, tag: _Tag, held: str) -> Iterator[tuple[int, str]]:
        if self._within:
            yield self._begun, held + tag.markup
        elif self._unclosed:
            self._unclosed -= 1
        elif (start := held.find("<")) >= 0:
            line = self._begun + held.count("\n", 0, start)
            yield line, f"<{tag.name}>{held[start:]}{tag.markup}"


def _names(prefixes: dict[str | None, str], tags: Iterable[str]) -> Iterator[str]:
    """Yield the names, prefix and all, that elements with these tags bear in the file."""
    for tag in tags:
        namespace, _, local = tag.removeprefix("{").rpartition("}")
        bound = [prefix for prefix, uri in prefixes.items() if uri == namespace]
        for prefix in bound if namespace else [None]:
            yield f"{prefix}:{local}" if prefix else local


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))
