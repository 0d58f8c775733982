"""A list of URLs in a text file, a CSV table or a workbook, or on standard input."""

import csv
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO, StringIO
from itertools import islice
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.given_files import read_bytes
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.sitemaps.text_file import read_lines

STANDARD_INPUT: Final = "-"

MAX_BYTES: Final = 2**28
"""Bytes of a list."""

COLUMNS: Final = (
    "url", "urls", "address", "page", "pages", "top pages", "page url", "full url",
    "full page url", "page location", "landing page", "loc",
)  # fmt: skip
"""The columns that contain the URLs, in lower case: Screaming Frog and Search Console export some.

Of several, the first in this order counts.
"""

_ZIP: Final = b"PK\x03\x04"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_DELIMITERS: Final = (",", ";", "\t")
_FIRST_ROWS: Final = 10
"""Rows in which the names of the columns are searched: exports begin with remarks."""

_MAX_ROWS: Final = 2**20
_TABLES: Final = (".csv", ".tsv")

Line = tuple[int, str]
"""A text, and the number of its line or row."""


class UrlList(Struct, frozen=True):
    """A list of URLs, exactly as written, except for passwords.

    ``text`` has each of them on the line with the number of its line or row in the file.
    ``origin`` is that of most URLs.
    """

    text: bytes
    origin: str


def read_url_list(place: str) -> UrlList:
    """Read a list; ``-`` is standard input. Raises ValueError with the rest of a sentence."""
    if place == STANDARD_INPUT:
        return _read_once("standard input", (0,))
    try:
        found = Path(place).stat()
    except OSError as error:
        raise ValueError(f"{place} cannot be read: {error.strerror}") from None
    is_file = stat.S_ISREG(found.st_mode)
    version = (found.st_mtime_ns, found.st_size) if is_file else ()
    return _read_once(place, (found.st_dev, found.st_ino, *version))


@lru_cache(maxsize=1)
def _read_once(place: str, version: tuple[int, ...]) -> UrlList:
    """Read a list, which can be a pipe: it has its content only once."""
    try:
        content = _read_standard_input() if version == (0,) else read_bytes(Path(place), MAX_BYTES)
    except OSError as error:
        raise ValueError(f"{place} cannot be read: {error.strerror}") from None
    if len(content) > MAX_BYTES:
        raise ValueError(f"{place} is larger than {MAX_BYTES:,} bytes")
    lines = [*_read_workbook(content, place)] if content.startswith(_ZIP) else None
    return _list_of(_read_text(content, place) if lines is None else lines, place)


def _read_standard_input() -> bytes:
    with open(0, "rb", closefd=False) as file:
        return file.read(MAX_BYTES + 1)


def _list_of(lines: Iterable[Line], place: str) -> UrlList:
    origins, texts, first = Counter[str](), [""], None
    for number, text in lines:
        first = first or (number, text)
        if url := urls.normalize(text):
            origins[urls.origin(url)] += 1
        texts.extend([""] * (number - len(texts) + 1))
        texts[number] = hide_passwords(text).replace("\r", " ").replace("\n", " ")
    if first is None:
        raise ValueError(f"{place} contains no URLs")
    if not origins:
        if any("\0" in text for text in texts):
            raise ValueError(f"{place} is not a text, a CSV table or a workbook (.xlsx)")
        number, text = first
        shown = hide_passwords(text)[:100]
        raise ValueError(f"{place} contains no absolute URLs; its line {number} is {shown!r}")
    ((origin, _),) = origins.most_common(1)
    return UrlList("\n".join(texts[1:]).encode(), origin)


def _read_text(content: bytes, place: str) -> Iterator[Line]:
    """Yield the lines of a text, or the URLs of a table."""
    encoding = "UTF-16" if content.startswith(_UTF_16) else "UTF-8-SIG"
    table = content.decode(encoding, errors="replace")
    try:
        for delimiter in _DELIMITERS:
            rows = csv.reader(StringIO(table, newline=""), delimiter=delimiter)
            numbered = _numbered(rows)
            if (column := _find_column(numbered)) is not None:
                return _cells(numbered, column)
    except csv.Error as error:
        if place.lower().endswith(_TABLES):
            raise ValueError(f"{place} is not a CSV table: {error}") from None
    if place.lower().endswith(_TABLES):
        if "://" not in table.partition("\n")[0]:
            raise ValueError(f"{place} {_NO_COLUMN}")
        if (found := _read_without_names(table)) is not None:
            return found
    return read_lines([content], encoding)


def _read_without_names(table: str) -> Iterator[Line] | None:
    """Return the URLs of a table whose first row has a URL and other cells; otherwise None."""
    for delimiter in _DELIMITERS:
        cells = next(csv.reader(StringIO(table, newline=""), delimiter=delimiter), [])
        column = next((n for n, cell in enumerate(cells) if urls.normalize(cell)), None)
        if len(cells) > 1 and column is not None:
            rows = csv.reader(StringIO(table, newline=""), delimiter=delimiter)
            return _cells(_numbered(rows), column)
    return None


_NO_COLUMN: Final = f"has no column with URLs: name it {COLUMNS[0]}"


def _numbered(rows: Any) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the rows of a CSV reader, with the numbers of their first lines."""
    before = 0
    for row in rows:
        yield before + 1, row
        before = rows.line_num


def _find_column(rows: Iterator[tuple[int, Sequence[Any]]]) -> int | None:
    """Return the index of the column with URLs; read the rows up to the names of the columns."""
    for _, row in islice(rows, _FIRST_ROWS):
        names = [str(cell or "").strip().lower() for cell in row]
        found = [names.index(name) for name in COLUMNS if name in names]
        if found or any("://" in name for name in names):
            return found[0] if found else None
    return None


def _cells(rows: Iterable[tuple[int, Sequence[Any]]], column: int) -> Iterator[Line]:
    for number, row in rows:
        text = str(row[column]) if column < len(row) and row[column] is not None else ""
        if text.strip():
            yield number, text


def _read_workbook(content: bytes, place: str) -> Iterator[Line]:
    """Yield the URLs of the first sheet of a workbook that has a column for them."""
    try:
        # Few lists are workbooks.
        from openpyxl import load_workbook  # noqa: PLC0415
    except ImportError:
        raise ValueError(
            f"{place} is a workbook, which needs pip install 'sitemapaudit[xlsx]'"
        ) from None
    try:
        book = load_workbook(BytesIO(content), read_only=True, data_only=True)
        for sheet in book.worksheets:
            rows = enumerate(sheet.iter_rows(max_row=_MAX_ROWS, values_only=True), start=1)
            if (column := _find_column(rows)) is not None:
                yield from _cells(rows, column)
                return
    except Exception as error:  # noqa: BLE001 - a file can break the library in any way
        raise ValueError(f"{place} cannot be read as a workbook: {error}") from None
    raise ValueError(f"{place} {_NO_COLUMN}")
