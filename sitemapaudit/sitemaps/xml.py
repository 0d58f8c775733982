"""XML as a stream of elements: strictly first, then what can be saved.

A recovering parser corrupts silently (``?a=1&b=2`` becomes ``?a=1=2``), so the
strict parse counts. Only where that ends early are the bytes mended (bare
ampersands, control characters, an unfinished last element) and read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

MAX_ELEMENT: Final = 4 * 1024 * 1024
"""Bytes without a finished entry after which reading stops, so that memory stays bounded."""

Element = etree._Element  # noqa: SLF001 - lxml has no public name for it


@dataclass(slots=True, frozen=True)
class Fault:
    """The first fault of a parse: where, what, and whether nothing behind it could be read."""

    line: int
    column: int
    message: str
    fatal: bool


@dataclass(slots=True, frozen=True)
class Root:
    """The root element of a file."""

    name: str
    namespace: str | None
    namespaces: list[str]
    version: str | None


class Elements:
    """The elements of a file that bear one of ``tags``, one by one, in constant memory.

    Each is whole when it is handed out, and is gone when the next is asked
    for. ``fault`` tells how the parse ended.
    """

    def __init__(
        self,
        chunks: Iterable[bytes],
        tags: tuple[str, ...],
        *,
        recover: bool = False,
        encoding: str | None = None,
    ) -> None:
        self.fault: Fault | None = None
        self._chunks = chunks
        self._tags = tags
        self._recover = recover
        # DTDs are not loaded and entities not expanded: the file is not trusted.
        self._parser = etree.XMLPullParser(
            events=("end",),
            tag=tags,
            recover=recover,
            encoding=encoding,
            resolve_entities=False,
            load_dtd=False,
            no_network=True,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
        )

    def __iter__(self) -> Iterator[Element]:
        unfinished = 0
        for chunk in self._chunks:
            unfinished += len(chunk)
            self._feed(chunk)
            for element in self._finished():
                unfinished = 0
                yield element
            if unfinished > MAX_ELEMENT:
                self._note(Fault(0, 0, f"no entry ends within {MAX_ELEMENT:,} bytes", fatal=True))
            if self.fault and self.fault.fatal:
                return
        self._close()
        yield from self._finished()

    def _feed(self, chunk: bytes) -> None:
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:
            self._note_log(error)
        else:
            self._note_log(None)

    def _close(self) -> None:
        try:
            self._parser.close()
        except etree.XMLSyntaxError as error:
            self._note_log(error)

    def _finished(self) -> Iterator[Element]:
        for _, element in self._parser.read_events():
            assert isinstance(element, Element)
            yield element
            self._forget(element)

    def _forget(self, element: Element) -> None:
        parent = element.getparent()
        if parent is None or parent.tag in self._tags:
            return  # An entry within an entry goes with it: that one is still to be read.
        element.clear()
        while element.getprevious() is not None:
            del parent[0]

    def _note_log(self, error: etree.XMLSyntaxError | None) -> None:
        """Take the fault from the log: the exception can name a consequence of it instead."""
        for entry in self._parser.feed_error_log.filter_from_errors():
            fatal = entry.level_name == "FATAL" or error is not None
            self._note(Fault(entry.line, entry.column, entry.message, fatal))
        if error is not None:
            line, column = error.position
            self._note(Fault(line, column, error.msg or "not well-formed", fatal=True))

    def _note(self, fault: Fault) -> None:
        if self._recover:
            return
        if self.fault is None:
            self.fault = fault
        elif fault.fatal and not self.fault.fatal:
            first = self.fault
            self.fault = Fault(first.line, first.column, first.message, fatal=True)


def root_of(head: bytes) -> Root | None:
    """Return the root element of a file that begins with ``head``; None if there is none."""
    parser = etree.XMLPullParser(
        events=("start",), recover=True, resolve_entities=False, load_dtd=False, no_network=True
    )
    try:
        parser.feed(head)
    except etree.XMLSyntaxError:
        return None
    for _, element in parser.read_events():
        assert isinstance(element, Element)
        name = etree.QName(element)
        declared = list(element.nsmap.values())
        return Root(name.localname, name.namespace, declared, element.get("version"))
    return None


def text_of(element: Element) -> str:
    """Return the text of an element, markup within passed over and entities kept by name."""
    if len(element) == 0:
        return element.text or ""
    return "".join(_pieces(element))


def line_of(element: Element) -> int:
    """Return the line on which an element begins, 0 if it is not known."""
    line: Any = element.sourceline
    return line or 0


def holds_entity(element: Element) -> bool:
    """Whether the text holds an entity that the file declares, which is never expanded."""
    return any(child.tag is etree.Entity for child in element.iter())


def _pieces(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag is etree.Entity:
            yield child.text or ""
        else:
            yield from _pieces(child)
        yield child.tail or ""


_PREDEFINED: Final = rb"amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+"
_BARE_AMPERSAND: Final = re.compile(rb"&(?!(?:" + _PREDEFINED + rb");)")
_FORBIDDEN: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_END_TAG: Final = 128
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}".encode()


def mended(chunks: Iterable[bytes], local_names: tuple[str, ...]) -> Iterator[bytes]:
    """Mend what a recovering parser would tidy away, up to the last finished entry.

    What follows the last end tag of an entry is held back: it is the rest of a
    file that breaks off, whose last loc may be half an address.
    """
    names = "|".join(re.escape(name) for name in local_names)
    end_tag = re.compile(rf"</(?:[\w.-]+:)?(?:{names})\s*>".encode())
    held = b""
    for chunk in chunks:
        unseen = max(0, len(held) - _LONGEST_END_TAG)
        held += chunk
        end = max((match.end() for match in end_tag.finditer(held, unseen)), default=0)
        if end:
            yield _FORBIDDEN.sub(_REPLACEMENT, _BARE_AMPERSAND.sub(b"&amp;", held[:end]))
            held = held[end:]
        elif len(held) > MAX_ELEMENT:
            return
