"""XML as a stream of elements, parsed strictly: it ends at the first fault.

What stands behind that fault is saved by ``recovery``, and not by a recovering
parser: such a one corrupts silently (``?a=1&b=2`` becomes ``?a=1=2``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from lxml import etree

MAX_ELEMENT: Final = 4 * 1024 * 1024
"""Bytes without a finished entry after which reading stops, so that memory stays bounded."""

Element = etree._Element  # noqa: SLF001 - lxml has no public name for it

# The file is not trusted: DTDs are not loaded, and entities not expanded.
CAUTIOUS: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}

_NAME_START: Final = (
    ":A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
NAME: Final = rf"[{_NAME_START}][{_NAME_START}.0-9\xb7\u0300-\u036f\u203f\u2040-]*+"
"""A pattern of names (XML 1.0 section 2.3)."""

NAMED_ENTITY: Final = re.compile(f"&(?!(?:amp|lt|gt|quot|apos);)({NAME});")
"""A reference to an entity other than the five of XML itself (XML 1.0 section 4.6)."""


FORBIDDEN: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that XML forbids (XML 1.0 section 2.2)."""


@dataclass(slots=True, frozen=True)
class Fault:
    """The first fault of a parse: where, what, and whether nothing behind it could be read."""

    line: int
    column: int | None
    message: str
    fatal: bool


@dataclass(slots=True, frozen=True)
class Root:
    """The root element of a file."""

    name: str
    namespace: str | None
    prefixes: dict[str | None, str]
    version: str | None


class Watch:
    """What is told of a file besides its entries; as it stands, nobody listens."""

    def on_namespace(self, prefix: str | None, namespace: str) -> None:
        """Take a declaration, before the element that it stands in."""

    def on_other(self, element: Element) -> None:
        """Take a child of the root that is no entry."""


class Elements:
    """The elements of a file that bear one of ``tags``, one by one, in constant memory.

    Each is whole when it is handed out, and goes when a later one is done
    with. ``fault`` tells how the parse ended, and ``nested`` that an entry stood
    within another, whose end tag is then most likely missing: what it holds
    would come before it, so nothing is handed out from there on. ``others`` are
    tags of children of the root that may be many, and go like entries.
    """

    def __init__(
        self,
        chunks: Iterable[bytes],
        tags: tuple[str, ...],
        *,
        others: tuple[str, ...] = (),
        watch: Watch | None = None,
        encoding: str | None = None,
    ) -> None:
        self.fault: Fault | None = None
        self.nested = False
        self._chunks = chunks
        self._tags = tags
        self._watch = watch or Watch()
        self._root: Element | None = None
        self._unfinished = 0
        self._parser = etree.XMLPullParser(
            events=("start-ns", "end"), tag=(*tags, *others), encoding=encoding, **CAUTIOUS
        )

    def __iter__(self) -> Iterator[Element]:
        for chunk in self._chunks:
            self._unfinished += len(chunk)
            self._feed(chunk)
            yield from self._finished()
            if self._unfinished > MAX_ELEMENT:
                self._give_up()
            if self.fault and self.fault.fatal:
                return
        self._close()
        yield from self._finished()
        for child in () if self._root is None else self._root:
            self._pass_by(child)

    @property
    def broke_off(self) -> bool:
        """Whether elements of the file were not handed out."""
        return self.nested or (self.fault is not None and self.fault.fatal)

    def _feed(self, chunk: bytes) -> None:
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:
            self._note_log(error)
        else:
            self._note_log(None)

    def _close(self) -> None:
        try:
            self._root = self._parser.close()
        except etree.XMLSyntaxError as error:
            self._note_log(error)

    def _give_up(self) -> None:
        """Note that the parse has to end, unless libxml2 holds back a fault.

        It reads nothing behind an ampersand until a semicolon comes.
        """
        self._feed(b";")
        line = 1 if self._root is None else line_of(self._root[0])
        message = (
            f"no entry ends within the {MAX_ELEMENT:,} bytes behind this line: "
            "an end tag is missing, or an entry is far too long"
        )
        self._note(Fault(line, None, message, fatal=True))

    def _finished(self) -> Iterator[Element]:
        events: Iterator[tuple[str, Any]] = self._parser.read_events()
        for event, item in events:
            if event == "start-ns":
                prefix, namespace = item
                self._watch.on_namespace(prefix or None, namespace)
            elif item.tag in self._tags:
                if not _is_root(item.getparent()):
                    self.nested = self.nested or self._is_nested(item)
                if not self.nested:
                    yield item
                self._drop_before(item)
            elif _is_root(item.getparent()):
                self._drop_before(item)

    def _is_nested(self, element: Element) -> bool:
        return any(True for _ in element.iterancestors(*self._tags))

    def _drop_before(self, element: Element) -> None:
        """Drop what stands before an element, and before those that it stands in.

        No name must hold what is dropped: lxml would then make a document of it.
        """
        self._unfinished = 0
        while (parent := element.getparent()) is not None:
            while element.getprevious() is not None:
                if _is_root(parent):
                    self._pass_by(parent[0])
                del parent[0]
            element = parent
        self._root = element

    def _pass_by(self, child: Element) -> None:
        if child.tag not in self._tags:
            self._watch.on_other(child)

    def _note_log(self, error: etree.XMLSyntaxError | None) -> None:
        """Take the fault from the log: the exception can name a consequence of it instead.

        A prefix that is not declared is no fatal fault, though lxml raises it at the end.
        """
        for entry in self._parser.feed_error_log.filter_from_errors():
            fatal = entry.level_name == "FATAL"
            self._note(Fault(entry.line, entry.column, _first_line(entry.message), fatal))
        if error is not None and self.fault is None:
            line, column = error.position
            self._note(Fault(line, column, _first_line(error.msg or "not well-formed"), fatal=True))

    def _note(self, fault: Fault) -> None:
        if self.fault is None:
            self.fault = fault
        elif fault.fatal:
            self.fault = replace(self.fault, fatal=True)


def _is_root(element: Element | None) -> bool:
    return element is not None and element.getparent() is None


def _first_line(message: str) -> str:
    """Return what a message says; some go on with a piece of the file."""
    return message.partition("\n")[0]


def root_of(head: bytes, encoding: str | None = None) -> Root | None:
    """Return the root element of a file that begins with ``head``; None if there is none."""
    parser = etree.XMLPullParser(events=("start",), recover=True, encoding=encoding, **CAUTIOUS)
    try:
        parser.feed(head)
        for _, element in parser.read_events():
            assert isinstance(element, Element)
            prefixes = dict(element.nsmap)
            if any(FORBIDDEN.search(uri) for uri in prefixes.values()):
                return None
            namespace, name = split_tag(element)
            return Root(name, namespace, prefixes, with_names(element).get("version"))
    except (etree.XMLSyntaxError, UnicodeDecodeError):
        pass  # libxml2 takes a reference to a surrogate for a character, and nothing else does.
    return None


def text_of(element: Element) -> str:
    """Return the text of an element, markup within passed over and entities kept by name."""
    if len(element) == 0:
        return element.text or ""
    return "".join(str(piece) for piece in element.itertext())


def tag_of(namespace: str | None, name: str) -> str:
    """Return the qualified name of an element."""
    return f"{{{namespace}}}{name}" if namespace else name


def split_tag(element: Element) -> tuple[str | None, str]:
    """Return namespace and local name of an element; no name if it is a reference to an entity."""
    tag: object = element.tag
    if not isinstance(tag, str):
        return None, ""
    namespace, _, name = tag.removeprefix("{").rpartition("}")
    return namespace or None, name


def line_of(element: Element) -> int:
    """Return the line on which an element begins, 0 if it is not known."""
    line: Any = element.sourceline
    return line or 0


def with_names(element: Element) -> Element:
    """Return the element with the entities in its attributes kept by name.

    lxml expands those that the file declares when an attribute is asked for.
    """
    if element.getroottree().docinfo.internalDTD is None:
        return element
    markup = etree.tostring(element, encoding="unicode", with_tail=False)
    named = NAMED_ENTITY.sub(r"&amp;\1;", markup)
    return etree.fromstring(named.encode(), etree.XMLParser(recover=True, **CAUTIOUS))
