"""The robots.txt files, sitemaps and entries that an earlier run read.

Entries are in files by the digest of their URL, so that a shard reads only its own. The
first shard that needs these files makes them, in the folder of the earlier run if it may write
there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import duckdb
import msgspec
from filelock import FileLock

from sitemapaudit import urls
from sitemapaudit.datasets.database import connect, parquet_rows, path_pattern, sql_string
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.refusals import MemoryLimitError
from sitemapaudit.datasets.row_json import row_json
from sitemapaudit.datasets.usable_tables import usable_tables
from sitemapaudit.items import Entry, Kind, Robots, Sitemap
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.merging.stores import Store, open_stored_run
from sitemapaudit.urls.shard import Shard

T = TypeVar("T")

READ_TABLES: Final = ("robots", "sitemaps", "entries")
"""The tables of the earlier run that are read."""

_FOLDER: Final = "entries-by-digest"
_BITS: Final = 6
_FILES: Final = 1 << _BITS
_BATCH: Final = 1_000

SORTED_AT_ONCE: Final = 500_000
"""Entries of a shard that are sorted at once: of ten million, DuckDB needs too much memory."""

_TOO_LITTLE: Final = (
    "Reading the entries of the earlier run needs more than {:,} MB of memory; raise AUDIT_MEMORY"
)

_ROW_GROUP: Final = 4_096
"""Rows of a file that are held in memory until they are written: all files are written at once."""

_SPLIT: Final = f"""
    set partitioned_write_flush_threshold = {2 * _ROW_GROUP};
    copy (
        select *, coalesce(digest >> {64 - _BITS}, {_FILES}) as file
        from (
            select *, if(kind = '{Kind.SITEMAPINDEX}', null, digest_of(url)) as digest
            from {{entries}}
        )
    ) to {{folder}} (format parquet, compression zstd, row_group_size {_ROW_GROUP},
        partition_by (file), filename_pattern 'entries')
"""
"""Entries that list no page are in the last file: every shard has them.

By default, DuckDB keeps half a million rows before it gives them to the files.
"""


def open_listed(place: Path | str, shard: Shard, scratch: Path, memory: int) -> ListedRun:
    """Return an earlier run, with a copy of the files that a shard needs if it is in a store.

    Raises OSError, or RunFileError if its tables cannot be used.
    """
    store = None
    if isinstance(place, str):
        store, place = open_stored_run(place), scratch / "copy"
        for name in (*map(str, _split_files(shard)), "robots.parquet", "sitemaps.parquet"):
            store.copy_file(name, place)
        if not (place / _FOLDER).exists():
            store.copy_file("entries.parquet", place)
    return ListedRun(place, scratch, memory, store)


def _split_files(shard: Shard) -> list[Path]:
    """Return the files with the entries of a shard, within a run folder."""
    first, last = (digest >> (64 - _BITS) for digest in (shard.digests[0], shard.digests[-1]))
    numbers = (*range(first, last + 1), _FILES)
    return [Path(_FOLDER, f"file={number}", "entries0.parquet") for number in numbers]


class ListedRun:
    """The tables of an earlier run; ``scratch`` is a folder for large queries and copies.

    ``memory`` is the limit of DuckDB in megabytes, and ``store`` is where the run is, if ``run`` is
    a copy of a part of it.
    """

    def __init__(self, run: Path, scratch: Path, memory: int, store: Store | None = None) -> None:
        self._store = store
        self._run = run
        self._scratch = scratch
        self._memory = memory

    def robots(self) -> Iterator[Robots]:
        """Yield the robots.txt files."""
        return self._rows(Robots, [f"from {parquet_rows(table_file(self._run, 'robots'))}"])

    def sitemaps(self) -> Iterator[Sitemap]:
        """Yield the sitemaps."""
        return self._rows(Sitemap, [f"from {parquet_rows(table_file(self._run, 'sitemaps'))}"])

    def entries(self, shard: Shard) -> Iterator[Entry]:
        """Yield the entries of a shard in the order of the sitemaps, and those without a page.

        Raises OSError, and MemoryLimitError.
        """
        run = self._split()
        files = [run / name for name in _split_files(shard)]
        names = ", ".join(sql_string(path_pattern(file)) for file in files if file.exists())
        if not names:
            return iter(())
        rows = f"from read_parquet([{names}], hive_partitioning = false)"
        own = f"(digest is null or digest between {shard.digests[0]} and {shard.digests[-1]})"
        step = SORTED_AT_ONCE * shard.count
        parts = (
            f"{rows} where {own} and file_row_number between {first} and {first + step - 1}"
            " order by file_row_number"
            for first in range(0, self._number_of_entries(rows), step)
        )
        return self._rows(Entry, parts)

    def urls(self) -> Iterator[str]:
        """Yield the listed URLs, each as often as it is listed. Raises OSError."""
        file = table_file(self._run, "entries")
        if self._store is not None and not file.exists():
            self._store.copy_file(file.name, self._run)
        pages = f"kind <> '{Kind.SITEMAPINDEX}' and url is not null"
        query = f"select url from {parquet_rows(file)} where {pages}"
        return (url for (url,) in self._query([query]))

    def _number_of_entries(self, rows: str) -> int:
        """Return how many entries the earlier run read, up to the last one in these rows."""
        query = f"select coalesce(max(file_row_number) + 1, 0) {rows}"
        return next(int(number) for (number,) in self._query([query]))

    def _rows(self, item: type[T], sources: Iterable[str]) -> Iterator[T]:
        decode = msgspec.json.Decoder(item).decode
        queries = (f"select {row_json(item)} {source}" for source in sources)
        return (decode(text) for (text,) in self._query(queries))

    def _query(self, queries: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        try:
            with connect(self._scratch / "queries", self._memory, in_memory=True) as connection:
                for query in queries:
                    rows = connection.execute(query)
                    while batch := rows.fetchmany(_BATCH):
                        yield from batch
        except duckdb.OutOfMemoryException as error:
            raise MemoryLimitError(_TOO_LITTLE.format(self._memory)) from error

    def _split(self) -> Path:
        """Return the run folder with the files by digest, and make them if need be.

        Raises OSError, and MemoryLimitError.
        """
        with suppress(OSError), FileLock(self._run / FOLDER / f"{_FOLDER}.lock"):
            return self._split_into(self._run)
        return self._split_into(self._scratch / "split")

    def _split_into(self, run: Path) -> Path:
        folder = run / _FOLDER
        if folder.exists():
            return run
        run.mkdir(parents=True, exist_ok=True)
        draft = run / f"{_FOLDER}-draft"
        entries = parquet_rows(table_file(self._run, "entries"), "file_row_number = true")

        def work(connection: duckdb.DuckDBPyConnection) -> None:
            shutil.rmtree(draft, ignore_errors=True)
            connection.create_function("digest_of", urls.digest, ["VARCHAR"], "UBIGINT")
            try:
                connection.execute(_SPLIT.format(entries=entries, folder=sql_string(str(draft))))
            finally:
                connection.remove_function("digest_of")

        with usable_tables(self._run, tables=READ_TABLES):
            what = "Dividing the entries between shards"
            run_with_memory_limit(self._memory, self._scratch, work, what, [self._run])
        draft.replace(folder)
        return run
