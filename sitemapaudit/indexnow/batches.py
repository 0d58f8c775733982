"""The changed URLs of a run as IndexNow batches: JSON files, each for one host."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import duckdb
from msgspec import Struct

from sitemapaudit.comparison.changed import TABLE
from sitemapaudit.indexnow.keys import Key
from sitemapaudit.runs.folder_names import folder_name
from sitemapaudit.urls import authority, origin

MAX_URLS: Final = 10_000
"""URLs per batch (indexnow.org/documentation, "Submitting set of URLs")."""

_FETCHED_ROWS: Final = 10_000


class Batch(Struct, frozen=True):
    """A batch: its host, the URL of the key file, its file, and the number of its URLs."""

    host: str
    key_location: str
    file: Path
    urls: int


class Batches(Struct, frozen=True):
    """The batches of a run; ``uncovered`` counts the URLs that the key does not cover."""

    written: Sequence[Batch]
    uncovered: int


def write_batches(connection: duckdb.DuckDBPyConnection, key: Key, into: Path) -> Batches:
    """Write the batches of the table ``changed_urls`` into a folder. Raises OSError."""
    into.mkdir(parents=True, exist_ok=True)
    written: list[Batch] = []
    uncovered = 0
    for host, group in groupby(_submitted_urls(connection), authority):
        urls = list(group)
        covered = [url for url in urls if key.covers(url)]
        uncovered += len(urls) - len(covered)
        written += _write_host(host, covered, key, into)
    return Batches(written, uncovered)


def _submitted_urls(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield the URLs to submit, sorted by host."""
    cursor = connection.execute(
        f"select url from {TABLE} where submit order by split_part(url, '/', 3), url"
    )
    while rows := cursor.fetchmany(_FETCHED_ROWS):
        yield from (url for (url,) in rows)


def _write_host(host: str, urls: Sequence[str], key: Key, into: Path) -> Iterator[Batch]:
    """Write the batches of a host. A batch may mix http and https, but has only one key file."""
    location = key.file_for(max(map(origin, urls), default=""))
    for number, start in enumerate(range(0, len(urls), MAX_URLS), start=1):
        part = urls[start : start + MAX_URLS]
        file = into / f"{folder_name(host)}-{number}.json"
        body = {"host": host, "key": key.value, "keyLocation": location, "urlList": part}
        file.write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
        yield Batch(host, location, file, len(part))
