"""Recovers the entries of an XML file after its first error.

Each entry is extracted by its tags, escaped and parsed alone, so that an error in one entry does
not damage another.
"""

import codecs
import re
from collections.abc import Generator, Iterable, Iterator
from enum import Enum, auto
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from lxml import etree

from sitemapaudit.sitemaps.escaping import CLOSERS, OPENER, escape_markup
from sitemapaudit.sitemaps.xml_stream import MAX_ELEMENT, SAFE_OPTIONS, Element, Root, tag_of


class RecoveredEntry(NamedTuple):
    """An entry and the line where it begins; ``element`` is None if it cannot be parsed."""

    line: int
    element: Element | None


def recover_entries(
    chunks: Iterable[bytes], root: Root, tags: tuple[str, ...], encoding: str | None
) -> Iterator[RecoveredEntry]:
    """Yield the entries of a file with one of ``tags``, or the readable part of each.

    An entry that the end of the file truncates is skipped: its loc may be incomplete.
    """
    declarations = "".join(
        f" xmlns{':' if prefix else ''}{prefix or ''}={quoteattr(uri)}"
        for prefix, uri in root.prefixes.items()
    )
    parser = etree.XMLParser(recover=True, encoding="UTF-8", **SAFE_OPTIONS)
    found = _TagScanner(root, tags).scan(_decode(chunks, encoding))
    for line, markup in _EntryAssembler().assemble(found):
        piece = f"<piece{declarations}>{escape_markup(markup)}</piece>"
        try:
            tree = etree.fromstring(piece.encode(), parser)
        except etree.XMLSyntaxError:
            yield RecoveredEntry(line, None)
            continue
        element = next(tree.iter(*tags), None)
        if element is not None:
            lost = any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)
            yield RecoveredEntry(line, None if lost else element)


def _decode(chunks: Iterable[bytes], encoding: str | None) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(_find_codec(encoding))(errors="replace")
    for chunk in chunks:
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _find_codec(encoding: str | None) -> str:
    """Return the codec of an encoding; UTF-8 if either libxml2 or Python does not know it."""
    try:
        etree.XMLParser(encoding=encoding)
        return codecs.lookup(encoding or "UTF-8").name
    except LookupError:
        return "UTF-8"


class _TagKind(Enum):
    """The kind of a tag; NONE is text without a tag."""

    BEGIN = auto()
    END = auto()
    EMPTY = auto()
    ROOT = auto()
    NONE = auto()


class _Tag(NamedTuple):
    """A tag, and the text between the previous tag and this one."""

    before: str
    kind: _TagKind
    markup: str = ""
    name: str = ""


class _TagScanner:
    """Finds the tags of entries and of the root in a text, in constant memory.

    Tags within a comment, CDATA or a processing instruction do not count, unless that section
    is never closed.
    """

    def __init__(self, root: Root, tags: tuple[str, ...]) -> None:
        entries = [*_prefixed_names(root.prefixes, tags)]
        roots = [*_prefixed_names(root.prefixes, (tag_of(root.namespace, root.name),))]
        self._longest = max(map(len, (*entries, *roots, *CLOSERS))) + len("</>")
        # The pattern begins with a literal, which Python looks for much faster than for choices.
        self._token = re.compile(
            f"<(?:(?P<opener>{OPENER})|(?P<close>/?)(?:(?P<entry>{_any_of(entries)})"
            f"|(?P<root>{_any_of(roots)}))(?=[ \\t\\r\\n/>]))"
        )

    def scan(self, texts: Iterable[str]) -> Iterator[_Tag]:
        """Yield the tags of a text that arrives in pieces."""
        pending = ""
        for text in texts:
            pending = yield from self._find(pending + text, final=False)
        yield from self._find(pending, final=True)

    def _find(self, text: str, *, final: bool) -> Generator[_Tag, None, str]:
        """Yield the complete tags; return the end of the text, which may contain half a tag."""
        last = {closer: text.rfind(closer) for closer in (*CLOSERS.values(), ">")}
        done = position = 0
        while token := self._token.search(text, position):
            start, position = token.span()
            closer = CLOSERS.get(token["opener"], ">")
            if last[closer] >= position:
                position = text.index(closer, position) + len(closer)
                if not token["opener"]:
                    yield _make_tag(token, text[done:start], text[start:position])
                    done = position
            elif not final and len(text) - start <= MAX_ELEMENT:
                break  # Otherwise it is never closed, and does not count.
        else:
            begun = text.rfind("<", max(position, len(text) - self._longest))
            start = len(text) if final or begun < 0 else begun
        yield _Tag(text[done:start], _TagKind.NONE)
        return text[start:]


def _make_tag(token: re.Match[str], before: str, markup: str) -> _Tag:
    if token["root"]:
        kind = _TagKind.ROOT
    elif token["close"]:
        kind = _TagKind.END
    else:
        kind = _TagKind.EMPTY if markup.endswith("/>") else _TagKind.BEGIN
    return _Tag(before, kind, markup, token["entry"] or "")


class _EntryAssembler:
    """Assembles the markup of each entry, with its line, in constant memory.

    An entry ends with its end tag. If the end tag is missing, the entry ends at the next entry or
    at the end of the root. If the start tag is missing, it is added: an end tag alone ends the
    markup since the previous tag.
    """

    def __init__(self) -> None:
        self._held: list[str] | None = None  # Since the last tag; None outside of an entry.
        self._size = 0
        self._start_line = self._line = 1
        self._within = False
        self._unclosed = 0

    def assemble(self, tags: Iterable[_Tag]) -> Iterator[tuple[int, str]]:
        """Yield the line and the markup of each entry."""
        for tag in tags:
            self._keep(tag.before)
            line = self._line = self._line + tag.before.count("\n")
            if tag.kind is _TagKind.NONE:
                continue
            yield from self._at_tag(tag)
            self._line += tag.markup.count("\n")
            if tag.kind is _TagKind.BEGIN:
                self._start([tag.markup], line, within=True)
            else:
                self._start([], self._line)

    def _start(self, held: list[str] | None, line: int, *, within: bool = False) -> None:
        self._held, self._size, self._start_line, self._within = held, 0, line, within

    def _keep(self, markup: str) -> None:
        if self._held is not None:
            self._held.append(markup)
            self._size += len(markup)
            if self._size > MAX_ELEMENT:
                self._start(None, self._line)

    def _at_tag(self, tag: _Tag) -> Iterator[tuple[int, str]]:
        """Yield the entry that ends before or with a tag, and an entry that is a single tag."""
        if tag.kind is _TagKind.END:
            if self._held is not None:
                yield from self._at_end_tag(tag, "".join(self._held))
            return
        if self._within and self._held is not None:
            self._unclosed += tag.kind is not _TagKind.ROOT
            yield self._start_line, "".join(self._held)
        if tag.kind is _TagKind.EMPTY:
            yield self._line, tag.markup

    def _at_end_tag(self, tag: _Tag, held: str) -> Iterator[tuple[int, str]]:
        if self._within:
            yield self._start_line, held + tag.markup
        elif self._unclosed:
            self._unclosed -= 1
        elif (start := held.find("<")) >= 0:
            line = self._start_line + held.count("\n", 0, start)
            yield line, f"<{tag.name}>{held[start:]}{tag.markup}"


def _prefixed_names(prefixes: dict[str | None, str], tags: Iterable[str]) -> Iterator[str]:
    """Yield the names of elements with these tags, including the prefixes that the file uses."""
    for tag in tags:
        namespace, _, local = tag.removeprefix("{").rpartition("}")
        bound = [prefix for prefix, uri in prefixes.items() if uri == namespace]
        for prefix in bound if namespace else [None]:
            yield f"{prefix}:{local}" if prefix else local


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, names))
