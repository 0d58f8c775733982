"""Parses XML strictly, as a stream of elements that ends at the first error.

``recovery`` reads the entries after that error. A recovering parser is not used for that: it
silently corrupts text (``?a=1&b=2`` becomes ``?a=1=2``).
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.caps import cut
from sitemapaudit.sitemaps.xml_syntax import has_forbidden, named_entity

MAX_ELEMENT: Final = 4 * 1024 * 1024
"""Bytes without a complete entry after which parsing stops, so that memory stays bounded."""

Element = etree._Element  # noqa: SLF001 - lxml has no public name for it

# The file is not trusted: no DTD is loaded, and no entity is expanded.
SAFE_OPTIONS: Final[dict[str, Any]] = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


class XmlError(Struct, frozen=True):
    """The first error of a parse; after a ``fatal`` one, nothing could be read."""

    line: int
    column: int | None
    message: str
    fatal: bool


class Root(Struct, frozen=True):
    """The root element of a file."""

    name: str
    namespace: str | None
    prefixes: dict[str | None, str]
    version: str | None


class ParseListener:
    """Receives the parts of a file that are not entries; this base class ignores them."""

    def on_namespace(self, prefix: str | None, namespace: str) -> None:
        """Receive a namespace declaration, before the element that contains it."""

    def on_other_child(self, element: Element) -> None:
        """Receive a child of the root that is not an entry."""


class ElementStream:
    """The elements of a file with one of ``tags``, one by one, in constant memory.

    An element is complete when it is yielded, and is dropped after a later one was processed.
    ``error`` is the first error of the parse. ``nested`` means that an entry contains another
    one; most likely its end tag is missing. The inner entry would be yielded before the outer
    one, so nothing is yielded from there on. ``misplaced_tags`` are tags of other children of
    the root that may be numerous; these are dropped like entries.
    """

    def __init__(
        self,
        chunks: Iterable[bytes],
        tags: tuple[str, ...],
        *,
        misplaced_tags: tuple[str, ...] = (),
        listener: ParseListener | None = None,
        encoding: str | None = None,
    ) -> None:
        self.error: XmlError | None = None
        self.nested = False
        self._chunks = chunks
        self._tags = tags
        self._listener = listener or ParseListener()
        self._root: Element | None = None
        self._pending_bytes = 0
        self._parser = etree.XMLPullParser(
            events=("start-ns", "end"),
            tag=(*tags, *misplaced_tags),
            encoding=encoding,
            **SAFE_OPTIONS,
        )

    def __iter__(self) -> Iterator[Element]:
        for chunk in self._chunks:
            self._pending_bytes += len(chunk)
            self._feed(chunk)
            yield from self._finished_elements()
            if self._pending_bytes > MAX_ELEMENT:
                self._give_up()
            if self.error and self.error.fatal:
                break  # The children before it are reported, as if it were found at the end.
        else:
            self._close()
            yield from self._finished_elements()
        for child in () if self._root is None else self._root:
            self._report(child)

    @property
    def is_incomplete(self) -> bool:
        """True if elements of the file were not yielded."""
        return self.nested or (self.error is not None and self.error.fatal)

    def _feed(self, chunk: bytes) -> None:
        try:
            self._parser.feed(chunk)
        except etree.XMLSyntaxError as error:
            self._record_errors(error)
        else:
            self._record_errors(None)

    def _close(self) -> None:
        try:
            self._root = self._parser.close()
        except etree.XMLSyntaxError as error:
            self._record_errors(error)

    def _give_up(self) -> None:
        """End the parse with an error, or with a pending one of libxml2.

        After an ampersand, libxml2 reports nothing until it has read a semicolon.
        """
        self._feed(b";")
        line = 1 if self._root is None else line_of(self._root[0])
        message = (
            f"no entry ends within {MAX_ELEMENT:,} bytes after this line: "
            "an end tag is missing, or an entry is far too long"
        )
        self._record(XmlError(line, None, message, fatal=True))

    def _finished_elements(self) -> Iterator[Element]:
        events: Iterator[tuple[str, Any]] = self._parser.read_events()
        for event, item in events:
            if event == "start-ns":
                prefix, namespace = item
                self._listener.on_namespace(prefix or None, namespace)
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
        """Drop everything before an element and before its ancestors.

        No variable may refer to a dropped element: lxml would turn it into a document.
        """
        self._pending_bytes = 0
        while (parent := element.getparent()) is not None:
            while element.getprevious() is not None:
                if _is_root(parent):
                    self._report(parent[0])
                del parent[0]
            element = parent
        self._root = element

    def _report(self, child: Element) -> None:
        if child.tag not in self._tags:
            self._listener.on_other_child(child)

    def _record_errors(self, error: etree.XMLSyntaxError | None) -> None:
        """Read the errors from the log: the exception may name a consequence of the first one.

        An undeclared prefix is not fatal, although lxml raises an exception at the end.
        """
        for entry in self._parser.feed_error_log.filter_from_errors():
            fatal = entry.level_name == "FATAL"
            self._record(XmlError(entry.line, entry.column, _first_line(entry.message), fatal))
        if error is not None and self.error is None:
            line, column = error.position
            self._record(
                XmlError(line, column, _first_line(error.msg or "not well-formed"), fatal=True)
            )

    def _record(self, error: XmlError) -> None:
        if self.error is None:
            self.error = error
        elif error.fatal:
            self.error = replace(self.error, fatal=True)


def _is_root(element: Element | None) -> bool:
    return element is not None and element.getparent() is None


def _first_line(message: str) -> str:
    """Return the first line of a message; some messages continue with a part of the file."""
    return message.partition("\n")[0]


def root_of(head: bytes, encoding: str | None = None) -> Root | None:
    """Return the root element of a file from its first bytes; None if it has none."""
    parser = etree.XMLPullParser(events=("start",), recover=True, encoding=encoding, **SAFE_OPTIONS)
    try:
        parser.feed(head)
        for _, element in parser.read_events():
            assert isinstance(element, Element)
            prefixes = dict(element.nsmap)
            if any(has_forbidden(uri) for uri in prefixes.values()):
                return None
            namespace, name = split_tag(element)
            return Root(name, namespace, prefixes, keep_entity_names(element).get("version"))
    except (etree.XMLSyntaxError, UnicodeDecodeError):
        pass  # libxml2 accepts a reference to a surrogate as a character; Python does not.
    return None


def text_of(element: Element) -> str:
    """Return the text of an element without its markup; entities are kept by name.

    A text that is too long is cut off, but remains recognizable as too long.
    """
    if len(element) == 0:
        return cut(element.text or "")
    return cut("".join(str(piece) for piece in element.itertext()))


def tag_of(namespace: str | None, name: str) -> str:
    """Return the qualified name of an element."""
    return f"{{{namespace}}}{name}" if namespace else name


def split_tag(element: Element) -> tuple[str | None, str]:
    """Return the namespace and the local name; the name of an entity reference is empty."""
    tag: object = element.tag
    if not isinstance(tag, str):
        return None, ""
    namespace, _, name = tag.removeprefix("{").rpartition("}")
    return namespace or None, name


def lacks_namespace(element: Element) -> bool:
    """Return whether an element has no namespace, and no prefix that nothing declares."""
    namespace, name = split_tag(element)
    return namespace is None and ":" not in name


def line_of(element: Element) -> int:
    """Return the line where an element begins; 0 if unknown."""
    line: Any = element.sourceline
    return line or 0


def keep_entity_names(element: Element) -> Element:
    """Return the element with the names of entities in its attributes instead of their values.

    lxml expands entities that the file declares when an attribute is read.
    """
    if element.getroottree().docinfo.internalDTD is None:
        return element
    markup = etree.tostring(element, encoding="unicode", with_tail=False)
    named = named_entity().sub(r"&amp;\1;", markup)
    return etree.fromstring(named.encode(), etree.XMLParser(recover=True, **SAFE_OPTIONS))
