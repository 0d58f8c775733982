"""The bytes of one sitemap → its row and its entries, in any format.

Nothing is cleaned up: each entry is yielded exactly as written, with its position, and the row
records the errors of the file.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from sitemapaudit import urls
from sitemapaudit.caps import batches, fit
from sitemapaudit.generators.recognition import find_generator_of_sitemap
from sitemapaudit.http.body_start import body_start, first_characters
from sitemapaudit.http.challenges import challenge_in_place
from sitemapaudit.http.decoding import Decoded
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entry, Error, Kind, Sitemap
from sitemapaudit.sitemaps.dialects import UNRECOGNIZED, Dialect, detect_dialect
from sitemapaudit.sitemaps.encodings import Utf8Check, detect_encoding, find_encoding_conflict
from sitemapaudit.sitemaps.format_detection import (
    HEAD,
    MAX_SPACE,
    SPACE,
    FileFormat,
    SniffResult,
    sniff,
)
from sitemapaudit.sitemaps.plain_urlset import PlainUrlset
from sitemapaudit.sitemaps.structure import StructureListener
from sitemapaudit.sitemaps.text_file import read_lines
from sitemapaudit.sitemaps.xml_stream import (
    Element,
    ElementStream,
    Root,
    XmlError,
    line_of,
    root_of,
)

MAX_BYTES: Final = 52_428_800
"""The maximum size of a sitemap, in decoded bytes (sitemaps.org protocol)."""

MAX_ENTRIES: Final = 50_000
"""The maximum number of entries of a sitemap (sitemaps.org protocol)."""

HARD_LIMIT: Final = 2 * MAX_BYTES
"""Decoded bytes after which reading stops."""

HARD_ENTRIES: Final = 4 * MAX_ENTRIES
"""Entries after which reading stops: a hundred megabytes fit twenty million empty ones."""

MAX_BEGINNING: Final = 4_096
"""Bytes of a sitemap in which a generator is searched."""

DENIED: Final = frozenset({401, 403, 429})
"""Statuses that deny the auditor access: search engines may get another response."""


class SitemapReader:
    """An iterable of the entries of one file; its row is complete after the iteration.

    Each pass decodes the body again, so that only the body as sent is in memory. ``limit`` is in
    decoded bytes.
    """

    def __init__(self, response: Response, row: Sitemap, *, limit: int = HARD_LIMIT) -> None:
        self._response = response
        self._row = row
        self._limit = limit
        self._sniffed = SniffResult(FileFormat.EMPTY)
        self._structure: StructureListener | None = None
        self._claims_utf8 = False
        self._incomplete = False
        describe(response, row)

    def __iter__(self) -> Iterator[Entry]:
        for batch in self.batches():
            yield from batch

    def batches(self) -> Iterator[list[Entry]]:
        """Yield the entries in batches."""
        status = self._response.status
        if self._row.error is not None or status is None or not 200 <= status < 300:
            if status is not None and status >= 400:
                self._row.error_body = kind_of_body(self._response)
                self._row.body_start = body_start(self._response)
            return
        head = self._head()
        self._sniffed = sniff(head)
        self._row.detected_format = self._sniffed.archive or self._sniffed.format
        self._row.leading_chars = self._sniffed.leading_chars
        self._row.doctype = self._sniffed.doctype
        beyond = False
        for batch in self._read(head[self._sniffed.start :]):
            kept = batch[: HARD_ENTRIES - self._row.entries]
            self._row.entries += len(kept)
            if self._row.xml_error is not None:
                self._row.recovered_entries += sum(entry.recovered for entry in kept)
            if kept:
                yield kept
            beyond = len(kept) < len(batch)
            if beyond:
                break
        if self._row.bytes is None:
            for _ in self._chunks():  # To the end, to measure the size.
                pass
        self._row.truncated = self._row.truncated or beyond
        if self._row.kind in (Kind.HTML, Kind.UNKNOWN) or self._row.leading_chars:
            self._row.body_start = None if self._is_binary else first_characters(head)

    @property
    def _is_binary(self) -> bool:
        return self._sniffed.format in (FileFormat.ARCHIVE, FileFormat.BINARY)

    def _read(self, head: bytes) -> Iterator[list[Entry]]:
        detected = self._sniffed.format
        if detected is FileFormat.XML:
            return self._read_xml(head)
        if detected is FileFormat.TEXT or (detected is FileFormat.PROSE and self._is_list(head)):
            return batches(map(fit, self._read_text()))
        self._row.kind = Kind.HTML if detected is FileFormat.HTML else Kind.UNKNOWN
        return iter(())

    def _read_text(self) -> Iterator[Entry]:
        self._row.kind = kind = Kind.TEXT
        self._check_encoding()
        sitemap = self._row.sitemap
        lines = read_lines(self._chunks(), self._sniffed.encoding or "UTF-8")
        for position, (number, loc) in enumerate(lines, start=1):
            if self._incomplete:
                return  # The last line may be an incomplete address.
            intact = "\N{REPLACEMENT CHARACTER}" not in loc
            url = urls.normalize(loc) if intact else None
            yield Entry(sitemap, position, kind, loc, url, line=number)

    def _is_list(self, head: bytes) -> bool:
        """Return whether the name of a file without an absolute address says that it is a list."""
        path = urls.path(self._response.url).removesuffix(".gz")
        return path.endswith(".txt") and not head.lstrip().startswith((b"{", b"["))

    def _read_xml(self, head: bytes) -> Iterator[list[Entry]]:
        root = root_of(head, self._sniffed.encoding)
        dialect = UNRECOGNIZED
        if root is not None:
            self._row.namespace = root.namespace
            self._row.namespaces = list(root.prefixes.values())
            dialect = detect_dialect(root)
        self._row.kind, self._row.version = dialect.kind, dialect.version
        beginning = head.partition(b"<loc")[0][:MAX_BEGINNING].decode(errors="replace")
        self._row.generator = find_generator_of_sitemap(beginning)
        if root is not None and dialect.kind in (Kind.HTML, Kind.UNKNOWN):
            return iter(())
        if root is not None:
            self._check_encoding()
        return self._read_dialect(dialect, root)

    def _read_dialect(self, dialect: Dialect, root: Root | None) -> Iterator[list[Entry]]:
        read = 0
        if dialect.kind is Kind.URLSET and self._claims_utf8 and not self._sniffed.doctype:
            plain = PlainUrlset(self._chunks(), self._row.sitemap, self._sniffed.lines)
            yield from plain
            if plain.complete:
                return
            read = plain.read
        yield from batches(map(fit, islice(self._parse(dialect, root), read, None)))

    def _parse(self, dialect: Dialect, root: Root | None) -> Iterator[Entry]:
        if root is not None and dialect.kind in (Kind.URLSET, Kind.SITEMAPINDEX):
            self._structure = StructureListener(self._row, root)
        strict = ElementStream(
            self._chunks(),
            dialect.tags,
            misplaced_tags=dialect.misplaced_tags,
            listener=self._structure,
            encoding=self._sniffed.encoding,
        )
        count = 0
        for count, element in enumerate(strict, start=1):
            yield self._entry(count, dialect, line_of(element), element)
        if strict.error:
            self._record_error(strict.error)
        if root is not None and strict.is_incomplete:
            yield from self._recover(count, dialect, root)

    def _recover(self, count: int, dialect: Dialect, root: Root) -> Iterator[Entry]:
        """Read the file again, and yield the entries after the first ``count``."""
        # Its patterns take 10 ms to compile, and few files need them.
        from sitemapaudit.sitemaps.recovery import recover_entries  # noqa: PLC0415

        encoding = self._sniffed.encoding or self._sniffed.declared
        entries = recover_entries(self._chunks(), root, dialect.tags, encoding)
        recovered = self._row.xml_error is not None
        for position, (line, element) in islice(enumerate(entries, start=1), count, None):
            yield self._entry(position, dialect, line, element, recovered=recovered)

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
                self._structure.record_used_suspects(element)
        return entry

    def _record_error(self, error: XmlError) -> None:
        self._row.xml_error = error.message
        self._row.xml_error_line = error.line + self._sniffed.lines
        self._row.xml_error_column = error.column
        if error.line == 1 and error.column is not None:
            self._row.xml_error_column = error.column + self._sniffed.column

    def _check_encoding(self) -> None:
        """Record the encoding; if nothing contradicts UTF-8, the bytes are checked later."""
        charset = self._response.charset
        self._row.encoding = detect_encoding(self._sniffed, charset)
        self._row.encoding_error = find_encoding_conflict(self._sniffed, charset)
        self._claims_utf8 = self._row.encoding_error is None

    def _decoded(self) -> Decoded:
        encodings = self._response.codings
        return Decoded(self._response.body, encodings, limit=self._limit)

    def _head(self) -> bytes:
        """Return the first bytes of the file, including white space before it."""
        head, size = bytearray(), HEAD
        for chunk in self._decoded():
            head += chunk
            size = HEAD + min(MAX_SPACE, len(head) - len(head.lstrip(SPACE)))
            if len(head) >= size:
                break
        return bytes(head[:size])

    def _chunks(self) -> Iterator[bytes]:
        """Decode the file from the start of its content; record its size at the end."""
        decoded = self._decoded()
        check = Utf8Check()
        skip = self._sniffed.start
        for chunk in decoded:
            if self._claims_utf8:
                check.feed(chunk)
            rest = chunk[skip:]
            skip -= len(chunk) - len(rest)
            if rest:
                yield rest
        self._row.bytes = decoded.bytes
        self._row.gzip_layers = decoded.gzip_layers
        self._row.gzip_error = decoded.error
        self._row.truncated = decoded.truncated or self._response.truncated
        self._incomplete = decoded.ended_early or self._row.truncated
        if self._claims_utf8:
            check.feed(b"", final=not self._incomplete)
            self._row.encoding_error = check.error


_SITEMAPS: Final = frozenset({Kind.URLSET, Kind.SITEMAPINDEX, Kind.RSS, Kind.ATOM})


def kind_of_body(response: Response) -> Kind | None:
    """Return the kind of a response that is a sitemap in XML, whatever its status; None if not."""
    row = Sitemap(response.url)
    next(iter(SitemapReader(replace(response, status=200, error=None), row)), None)
    return row.kind if row.kind in _SITEMAPS else None


def contains_sitemap(response: Response) -> bool:
    """Return whether a response starts like a sitemap in any known format."""
    row = Sitemap(response.url)
    first = next(iter(SitemapReader(response, row)), None)
    if row.kind is Kind.TEXT:
        return first is not None and first.url is not None
    return row.kind not in (Kind.HTML, Kind.UNKNOWN)


def describe(response: Response, row: Sitemap) -> None:
    """Set the columns that a response has before it is read."""
    row.status = response.status
    row.final_url = response.url if response.status is not None else None
    row.error, row.error_detail = response.error, response.error_detail
    if challenge := challenge_in_place(response):
        row.error, row.error_detail = Error.CHALLENGE, challenge
    row.content_type = response.media_type
    row.content_encoding = ", ".join(response.header_lines("content-encoding")).lower() or None
    row.last_modified = response.header_time("last-modified")
    row.headers = response.header_texts
    row.elapsed, row.retries = response.elapsed, response.retries
    row.fetched_at = response.fetched_at
