"""The pages of an earlier run that can be revalidated, in a file for lookups while crawling.

A page is in it if its content may be taken over as soon as the server says that it was not
modified. Pages are not, whose indexing a header decided, because a 304 need not repeat such headers
(RFC 9110 section 15.4.5): they are fetched in full.
"""

import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, get_type_hints

import duckdb
import msgspec

from sitemapaudit.datasets.database import connect, parquet_rows, sql_string
from sitemapaudit.datasets.row_json import row_json_array
from sitemapaudit.items import Page, Role
from sitemapaudit.items.schema import LEDGER_ONLY, columns
from sitemapaudit.pages.revalidating import MIN_AGE, READ_COLUMNS
from sitemapaudit.redaction import HIDDEN
from sitemapaudit.runs.folders import table_file

_BATCH: Final = 1_000

_ENTITY_TAG: Final = '(W/)?"[^"]*"'
"""An entity tag (RFC 9110 section 8.8.3); no other text can be sent back."""

_HAS_DATE: Final = (
    f"last_modified <= coalesce(date, fetched_at) - interval '{MIN_AGE.total_seconds():g} seconds'"
)

_ELIGIBLE: Final = f"""
    status = 200 and error is null and noindex is not null and not truncated and not sets_cookie
    and role <> '{Role.PROBE}' and recheck is null and len(truncated_columns) = 0
    and (regexp_full_match(trim(etag), '{_ENTITY_TAG}') or {_HAS_DATE})
    and len(list_filter(string_split(lower(coalesce(vary, '')), ','),
        lambda name: trim(name) not in ('', 'accept-encoding'))) = 0
    and len(list_filter(statements, lambda each: each.source = 'header')) = 0
    and len(list_filter(canonicals, lambda each: each.source = 'header')) = 0
    and len(list_filter(alternates, lambda each: each.source = 'header')) = 0
    and len(list_filter(refreshes, lambda each: each.source = 'header')) = 0
"""

_CREATE: Final = "create table pages (url text primary key, page blob) without rowid"


class MissingColumnsError(Exception):
    """The tables of the run are those of another version."""


class UnreadablePagesError(Exception):
    """The tables of the run are damaged, or are not those of a run; the message says how."""


class EarlierPages:
    """Finds the pages of an earlier run that can be revalidated, by URL."""

    def __init__(self, file: Path) -> None:
        # Nothing changes the file: without locks, a lookup takes a third of the time.
        uri = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
        self._connection = sqlite3.connect(uri, uri=True)
        self._decode = _decoder()

    def find(self, urls: Sequence[str]) -> dict[str, Page | None]:
        """Return the page of each URL; None if it must be fetched in full.

        Pages have the columns in ``READ_COLUMNS``, and no others. One at a time takes three times
        as long as many.
        """
        found: dict[str, Page | None] = dict.fromkeys(urls)
        marks = ", ".join("?" * len(urls))
        query = f"select url, page from pages where url in ({marks})"
        for url, page in self._connection.execute(query, urls):
            try:
                found[url] = self._decode(page)
            except msgspec.MsgspecError:  # The tables were not made by a run.
                continue
        return found

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


@cache
def _decoder() -> Callable[[bytes], Any]:
    """Return what decodes pages with the columns in ``READ_COLUMNS``.

    Items with all columns take four times as long.
    """
    hints = get_type_hints(Page, include_extras=True)
    read = [
        (column.name, hints[column.name]) for column in columns(Page) if column.name in READ_COLUMNS
    ]
    kind = msgspec.defstruct("EarlierPage", read, gc=False, array_like=True)
    return msgspec.json.Decoder(kind).decode


def write_earlier_pages(run: Path, file: Path, memory: int) -> int:
    """Write the pages of a run that can be revalidated; return how many there are.

    ``memory`` is in megabytes. Raises MissingColumnsError, UnreadablePagesError, and OSError if
    the file cannot be written.
    """
    try:
        return _write(run, file, memory)
    except duckdb.Error as error:
        raise UnreadablePagesError(str(error).partition("\n")[0]) from error


def _write(run: Path, file: Path, memory: int) -> int:
    draft = file.with_suffix(".new")
    draft.unlink(missing_ok=True)
    written = 0
    with connect(memory=memory) as source, sqlite3.connect(draft) as store:
        store.execute("pragma journal_mode = off")
        store.execute("pragma synchronous = off")
        store.execute(_CREATE)
        rows = source.execute(_query(source.sql(f"from {_source(run)} limit 0").columns, run))
        while batch := rows.fetchmany(_BATCH):
            encoded = [(url, page.encode()) for url, page in batch]
            store.executemany("insert or ignore into pages values (?, ?)", encoded)
            written += len(batch)
    store.close()
    draft.replace(file)
    return written


def _source(run: Path) -> str:
    return parquet_rows(table_file(run, "pages"))


def _query(present: list[str], run: Path) -> str:
    names = [column.name for column in columns(Page) if column.name not in LEDGER_ONLY]
    if not {*names} <= {*present}:
        raise MissingColumnsError
    page = row_json_array(Page, READ_COLUMNS)
    pages = f"select url, {page} as page from {_source(run)} where {_ELIGIBLE}"
    # They are in the order of their URLs, which SQLite needs. To sort them takes a lot of memory.
    return f"select url, page from ({pages}) where not contains(page, {sql_string(HIDDEN)})"
