"""Bytes of one sitemap → its row and its entries, in any format.

Nothing is tidied away: each entry is handed out as it is written, with its
position, and what is wrong with the file stands in the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from sitemapaudit import urls
from sitemapaudit.answer import Answer
from sitemapaudit.decoding import Decoded
from sitemapaudit.items import Entry, Kind, Sitemap
from sitemapaudit.sitemaps.dialects import UNRECOGNISED, Dialect, dialect_of
from sitemapaudit.sitemaps.encodings import Utf8Check, encoding_of, other_encoding
from sitemapaudit.sitemaps.recovery import recovered
from sitemapaudit.sitemaps.sniffing import HEAD, MAX_SPACE, SPACE, Form, Sniffed, sniff
from sitemapaudit.sitemaps.structure import Structure
from sitemapaudit.sitemaps.text import MAX_LINE, numbered_lines
from sitemapaudit.sitemaps.xml import Element, Elements, Fault, Root, line_of, root_of

MAX_BYTES: Final = 52_428_800
"""Decoded bytes that a sitemap may have (sitemaps.org protocol)."""

MAX_ENTRIES: Final = 50_000
"""Entries that a sitemap may list (sitemaps.org protocol)."""

HARD_CAP: Final = 2 * MAX_BYTES
"""Decoded bytes after which reading stops."""

HARD_ENTRIES: Final = 4 * MAX_ENTRIES
"""Entries after which reading stops: a hundred megabytes hold twenty million empty ones."""

DENIED: Final = frozenset({401, 403, 429})
"""Statuses that keep a file from the auditor: what it is to others is not known."""


class SitemapReader:
    """Iterate it for the entries of one file; its row is complete when that has ended.

    The bytes are decoded anew for each pass, so that only what was sent is
    held in memory. ``cap`` is in decoded bytes.
    """

    def __init__(self, answer: Answer, row: Sitemap, *, cap: int = HARD_CAP) -> None:
        self._answer = answer
        self._row = row
        self._cap = cap
        self._sniffed = Sniffed(Form.EMPTY)
        self._structure: Structure | None = None
        self._claims_utf8 = False
        self._broke_off = False
        _describe(answer, row)

    def __iter__(self) -> Iterator[Entry]:
        status = self._answer.status
        if self._answer.error is not None or status is None or not 200 <= status < 300:
            return
        head = self._head()
        self._sniffed = sniff(head)
        self._row.form = self._sniffed.archive or self._sniffed.form
        self._row.leading = self._sniffed.leading
        self._row.doctype = self._sniffed.doctype
        entries = self._read(head[self._sniffed.start :])
        for self._row.entries, entry in enumerate(islice(entries, HARD_ENTRIES), start=1):
            self._row.recovered += entry.recovered
            yield entry
        beyond = self._row.entries == HARD_ENTRIES and next(entries, None) is not None
        if self._row.bytes is None:
            for _ in self._chunks():  # To the end, for the size.
                pass
        self._row.cut = self._row.cut or beyond

    def _read(self, head: bytes) -> Iterator[Entry]:
        form = self._sniffed.form
        if form is Form.XML:
            return self._read_xml(head)
        if form is Form.TEXT or (form is Form.PROSE and self._is_list(head)):
            return self._read_text()
        self._row.kind = Kind.HTML if form is Form.HTML else Kind.UNKNOWN
        return iter(())

    def _read_text(self) -> Iterator[Entry]:
        self._row.kind = kind = Kind.TEXT
        self._judge_encoding()
        sitemap = self._row.sitemap
        lines = numbered_lines(self._chunks(), self._sniffed.encoding or "UTF-8")
        for position, (number, loc) in enumerate(lines, start=1):
            if self._broke_off:
                return  # What is left of the last line may be half an address.
            whole = len(loc) < MAX_LINE and "\N{REPLACEMENT CHARACTER}" not in loc
            url = urls.normalise(loc) if whole else None
            yield Entry(sitemap, position, kind, loc, url, line=number)

    def _is_list(self, head: bytes) -> bool:
        """Whether a file without any full address is meant as a list, to judge by its name."""
        path = urls.path(self._answer.url).removesuffix(".gz")
        return path.endswith(".txt") and not head.lstrip().startswith((b"{", b"["))

    def _read_xml(self, head: bytes) -> Iterator[Entry]:
        root = root_of(head, self._sniffed.encoding)
        dialect = UNRECOGNISED
        if root is not None:
            self._row.namespace = root.namespace
            self._row.namespaces = list(root.prefixes.values())
            dialect = dialect_of(root)
        self._row.kind, self._row.version = dialect.kind, dialect.version
        if root is not None and dialect.kind in (Kind.HTML, Kind.UNKNOWN):
            return iter(())
        if root is not None:
            self._judge_encoding()
        return self._read_dialect(dialect, root)

    def _read_dialect(self, dialect: Dialect, root: Root | None) -> Iterator[Entry]:
        if root is not None and dialect.kind in (Kind.URLSET, Kind.SITEMAPINDEX):
            self._structure = Structure(self._row, root)
        strict = Elements(
            self._chunks(),
            dialect.tags,
            others=dialect.others,
            watch=self._structure,
            encoding=self._sniffed.encoding,
        )
        known = 0
        for known, element in enumerate(strict, start=1):
            yield self._entry(known, dialect, line_of(element), element)
        if strict.fault:
            self._note(strict.fault)
        if root is not None and strict.broke_off:
            yield from self._recover(known, dialect, root)

    def _recover(self, known: int, dialect: Dialect, root: Root) -> Iterator[Entry]:
        """Read the file again, and hand out what stands behind the entries that are known."""
        encoding = self._sniffed.encoding or self._sniffed.declared
        saved = recovered(self._chunks(), root, dialect.tags, encoding)
        behind_fault = self._row.fault is not None
        for position, (line, element) in islice(enumerate(saved, start=1), known, None):
            yield self._entry(position, dialect, line, element, recovered=behind_fault)

    def _entry(
        self,
        position: int,
        dialect: Dialect,
        line: int,
        element: Element | None,
        *,
        recovered: bool = False,
    ) -> Entry:
        entry = Entry(self._row.sitemap, position, dialect.kind, recovered=recovered)
        entry.line = line + self._sniffed.lines
        if element is not None:
            dialect.read(element, entry)
            if self._structure is not None and self._structure.suspects:
                self._structure.look(element)
        return entry

    def _note(self, fault: Fault) -> None:
        self._row.fault = fault.message
        self._row.fault_line = fault.line + self._sniffed.lines
        self._row.fault_column = fault.column
        if fault.line == 1 and fault.column is not None:
            self._row.fault_column = fault.column + self._sniffed.column

    def _judge_encoding(self) -> None:
        """Say what the encoding of a sitemap is; where UTF-8 is claimed, its bytes are checked."""
        charset = self._answer.charset
        self._row.encoding = encoding_of(self._sniffed, charset)
        self._row.not_utf8 = other_encoding(self._sniffed, charset)
        self._claims_utf8 = self._row.not_utf8 is None

    def _decoded(self) -> Decoded:
        encodings = self._answer.lines("content-encoding")
        return Decoded(self._answer.body, encodings, cap=self._cap)

    def _head(self) -> bytes:
        """Return the beginning of the file, and the white space before it."""
        head, size = bytearray(), HEAD
        for chunk in self._decoded():
            head += chunk
            size = HEAD + min(MAX_SPACE, len(head) - len(head.lstrip(SPACE)))
            if len(head) >= size:
                break
        return bytes(head[:size])

    def _chunks(self) -> Iterator[bytes]:
        """Decode the file from where it begins; measure it when its end is reached."""
        decoded = self._decoded()
        check = Utf8Check()
        skip = self._sniffed.start
        for chunk in decoded:
            if self._claims_utf8:
                check.take(chunk)
            rest = chunk[skip:]
            skip -= len(chunk) - len(rest)
            if rest:
                yield rest
        self._row.bytes = decoded.bytes
        self._row.gzip = decoded.layers
        self._row.gzip_fault = decoded.fault
        self._row.cut = decoded.cut or self._answer.cut
        self._broke_off = decoded.early or self._row.cut
        if self._claims_utf8:
            check.take(b"", final=not self._broke_off)
            self._row.not_utf8 = check.fault


def holds_sitemap(answer: Answer) -> bool:
    """Whether an answer is a sitemap in any known format, to judge by its beginning."""
    row = Sitemap(answer.url)
    first = next(iter(SitemapReader(answer, row)), None)
    if row.kind is Kind.TEXT:
        return first is not None and first.url is not None
    return row.kind not in (Kind.HTML, Kind.UNKNOWN)


def _describe(answer: Answer, row: Sitemap) -> None:
    row.status = answer.status
    row.final_url = answer.url if answer.status is not None else None
    row.error, row.error_detail = answer.error, answer.error_detail
    row.content_type = answer.media_type
    row.content_encoding = ", ".join(answer.lines("content-encoding")).lower() or None
    row.last_modified = answer.time("last-modified")
    row.elapsed, row.retries, row.fetched_at = answer.elapsed, answer.retries, answer.fetched_at
