"""The connection to DuckDB: its memory limit, the macros for queries, the views of the tables."""

# A thread that outlives the shared database would keep DuckDB's types by evaluated annotations.
from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import gettempdir
from typing import Final

import duckdb

from sitemapaudit import numbers, verdicts
from sitemapaudit.caps import MAX_LINE
from sitemapaudit.datasets.parsed_statements import parse_once
from sitemapaudit.items import Severity
from sitemapaudit.items.schema import LEDGER_TABLES, TABLES, Column, columns
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.ledger import entry_lines, page_lines
from sitemapaudit.runs.ledger.checksums import is_sound
from sitemapaudit.runs.ledger.ledger import copy_readable_lines, ledger_file, longest_line

SCRATCH: Final = "scratch"
"""The folder in a run folder for data that exceeds the memory; it is removed at the end."""

ROW_GROUP: Final = 20_480
"""Rows of a table that are stored together: a multiple of 2,048.

With DuckDB's own number, 122,880, the tables of 100,000 pages take 7 % longer.
"""

SMALL_TABLE: Final = 2**21
"""Bytes up to which a ledger file becomes a table: each query on a view opens its file again."""

SMALL_FILE: Final = 2**15
"""Bytes up to which a Parquet file becomes a table: one of 78 KB can have 50,000 URLs."""

_OFTEN_USED: Final = ("urls", "findings", "occurrences")
"""The tables with few columns that the report and the comparison of runs use many times."""

_OF_SCRATCH: Final = f"row_group_size {ROW_GROUP}, recovery_mode no_wal_writes"
_RARE_CHECKPOINTS: Final = (
    "set checkpoint_threshold = '64MB'; pragma disable_checkpoint_on_shutdown"
)
"""The file of a build is never opened again: a log of its changes would be of no use.

With that log, and a checkpoint every 16 MB, the tables take a twentieth longer, and with a
checkpoint at the end another twelfth.
"""

_LIMITED: Final = "set threads = 1; set disabled_optimizers = 'statistics_propagation'"
"""The settings of a connection with a memory limit.

One thread keeps the order of the rows, and needs the least memory: to read JSON, each thread has 32
MiB, and to read a wide Parquet file, a buffer for each column. With two, a million entries take a
twentieth less time and a sixth more processor time.

Without statistics, columns of a Parquet file can have nulls, so that a file does not depend on how
it was made.
"""

_QUICKLY_PLANNED: Final = (
    "set disabled_optimizers = 'statistics_propagation,join_order,common_subplan,projection_pullup,"
    "late_materialization,compressed_materialization,expression_rewriter,common_subexpressions,"
    "duplicate_groups,join_filter_pushdown,outer_join_simplification,aggregate_function_rewriter,"
    "join_elimination,aggregate_reuse,top_n_window_elimination,in_clause,cte_filter_pusher,"
    "redundant_order_keys,partial_aggregate_pushdown,common_aggregate,grouping_sets,filter_pullup'"
)
"""The setting of a database of small tables: these steps take longer than they save there.

An audit of ten URLs saves a fifth of building its results, and one of 3,000 pages with 100 links
each loses nothing.
"""

_SEVERITIES: Final = ", ".join(f"'{severity}'" for severity in reversed(Severity))

_UNREADABLE: Final = (
    r"\p{Cc}\p{Co}\p{Z}\x{AD}\x{61C}\x{180E}\x{200B}\x{200E}\x{200F}\x{202A}-\x{202E}"
    r"\x{2060}-\x{206F}\x{FEFF}\x{FFF9}-\x{FFFD}\x{E0000}-\x{E0FFF}"
)
"""Invisible characters, and those that change the direction of others: they stay encoded."""

MACROS: Final = f"""
    create or replace macro host_of(url) as
        split_part(regexp_extract(url, '^https?://(?:\\[[^\\]]*\\]|[^/:]*)'), '/', 3);
    create or replace macro host_without_www(url) as
        if(starts_with(host_of(url), 'www.'), substring(host_of(url), 5), host_of(url));
    create or replace macro decoded(text) as coalesce(try(url_decode(text)), text);
    create or replace macro twin_form(url) as lower(
        regexp_extract(url, '^https?://(?:www\\.)?([^/]*)', 1) || regexp_replace(
            decoded(regexp_extract(url, '^https?://[^/]*([^?]*)', 1)),
            '(/(index|default))?(\\.(html?|php|aspx?))?/*$', ''
        ) || decoded(regexp_extract(url, '[?].*$'))
    );
    create or replace macro trimmed(text) as trim(text, e' \\t\\r\\n');
    create or replace macro origin_of(url) as regexp_extract(url, '^https?://[^/]*');
    create or replace macro directory_of(url) as regexp_extract(split_part(url, '?', 1), '^.*/');
    create or replace macro section_of(url) as
        regexp_extract(url, '^https?://[^/]*/(?:[^/?]*/)?');
    create or replace macro path_template(segments) as
        if(len(segments) > 1, segments[1] || '/' || repeat('*/', len(segments) - 2), '')
            || if(segments[-1] = '', '', '*')
            || regexp_extract(segments[-1], '\\.[A-Za-z]{{1,5}}$');
    create or replace macro parameter_names(query) as array_to_string(list_sort(
        [split_part(pair, '=', 1) for pair in string_split(query, '&')]
    ), '&');
    create or replace macro template_of(url) as
        regexp_extract(url, '^https?://([^/?]*)', 1) || '/' || path_template(
            string_split(regexp_extract(url, '^https?://[^/?]*/?([^?]*)', 1), '/')
        ) || coalesce('?' || nullif(parameter_names(regexp_extract(url, '[?](.*)$', 1)), ''), '');
    create or replace macro is_language_alternate(link) as coalesce(
        list_contains(regexp_split_to_array(lower(link.rel), '\\s+'), 'alternate')
            and trimmed(link.hreflang) <> '' and coalesce(trimmed(link.media), '') = '', false
    );
    create or replace macro readable_host(host) as host;
    create or replace macro decoded_letters(url) as coalesce(nullif(regexp_extract(
        try(url_decode(regexp_replace(url, '%([0-7])', '%25\\1', 'g'))), '^[^{_UNREADABLE}]*$'
    ), ''), url);
    create or replace macro readable_url(url) as case
        when contains(url, 'xn--') then replace(
            decoded_letters(url), '//' || host_of(url), '//' || readable_host(host_of(url))
        )
        when contains(url, '%') then decoded_letters(url)
        else url
    end;
    create or replace macro response_phrase(hops, final_url) as
        if(hops = 0, 'returns', 'redirects to ' || final_url || ', which returns');
    create or replace macro severity_order(severity) as
        list_position([{_SEVERITIES}], severity);
    {verdicts.MACROS}
    {numbers.MACROS}
"""
"""Macros for queries. ``severity_order`` is 1 for an error and 3 for a notice.

``twin_form`` is equal for URLs that servers often give the same page: with and without ``www.``,
``index.html``, an extension or a slash at the end, in capitals, or percent-encoded.
``readable_url`` decodes the letters of other alphabets, and no ASCII character: the URL stays the
same one. The normal form of what it returns is the URL. ``readable_host`` decodes the hosts that
the table of URLs names when it is created, and no others.
"""


def connect(
    scratch: Path | None = None,
    memory: int | None = None,
    *,
    in_memory: bool = False,
) -> duckdb.DuckDBPyConnection:
    """Open an empty database: with ``scratch``, in a file of that folder, or in memory.

    ``memory`` is the limit of DuckDB in megabytes. Data that exceeds it goes to ``scratch``, which
    the caller removes, or to the folder of the system for temporary files. What a killed process
    left in ``scratch`` is removed first.
    """
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
    shared = _shared.get()
    if scratch and not in_memory:
        connection = _open(scratch)
        file = sql_string(str(scratch / "tables.duckdb"))
        connection.execute(f"attach {file} as tables ({_OF_SCRATCH}); {_RARE_CHECKPOINTS}")
        _use(connection, "tables")
    elif shared:
        return shared.connect(memory)
    else:
        connection = _open(scratch)
    if memory:
        connection.execute(_limited(memory))
    if scratch and not in_memory:
        # DuckDB limits the size of row groups only if it need not keep the order.
        connection.execute("set preserve_insertion_order = false")
    return connection


def _limited(memory: int) -> str:
    """Return the statements that limit a database to some megabytes."""
    return f"set memory_limit = '{memory}MB'; {_LIMITED}"


def _open(scratch: Path | None) -> duckdb.DuckDBPyConnection:
    """Open a database in memory, with the macros."""
    connection = parse_once(duckdb.connect(":memory:"))
    connection.execute("set TimeZone = 'UTC'")
    # By default, DuckDB writes what exceeds the memory to the working directory.
    folder = str(scratch) if scratch else _folder_for_temporary_files()
    connection.execute(f"set temp_directory = {sql_string(folder)}")
    connection.execute(MACROS)
    return connection


def _folder_for_temporary_files() -> str:
    """Return the folder of the system for temporary files; none if nothing can be written."""
    try:
        return gettempdir()
    except FileNotFoundError:
        return ""


def _use(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Let a connection see the tables of an attached database, and the macros."""
    connection.execute(f"set search_path = '{name}.main,memory.main'")


class _SharedDatabase:
    """A database in memory in which each connection has its own tables.

    To open a database and to create the macros takes 30 ms, to attach an empty one less than 1.
    The tables of a closed connection are dropped before the next one is opened, unless they are
    kept: what was just written need not be read again. The limits apply to
    the whole database: to change them takes 3 ms, so they stay until a connection needs others.
    """

    def __init__(self) -> None:
        self._base: duckdb.DuckDBPyConnection | None = None
        self._number = 0
        self._memory: int | None = None
        self._attached: dict[str, duckdb.DuckDBPyConnection] = {}
        self._kept: dict[tuple[Path, int, int], str] = {}
        """The relation that has the rows of a file in one state."""

    def connect(self, memory: int | None) -> duckdb.DuckDBPyConnection:
        """Open a connection that sees the macros, and no table of another."""
        if self._base is None:
            self._base = _open(None)
            self._base.execute("set temp_directory = ''")
        self._detach_closed(self._base)
        self._number += 1
        name = f"own_{self._number}"
        connection = self._attached[name] = self._base.cursor()
        connection.execute(f"set TimeZone = 'UTC'; attach ':memory:' as {name}")
        if memory != self._memory:
            unlimited = "reset memory_limit; reset threads; reset disabled_optimizers"
            connection.execute(f"{_limited(memory)}; {_QUICKLY_PLANNED}" if memory else unlimited)
            self._memory = memory
        _use(connection, name)
        return connection

    def keep(self, connection: duckdb.DuckDBPyConnection, files: Mapping[str, Path]) -> None:
        """Keep tables of a connection, which have the rows of files, in place of earlier ones."""
        names = [name for name, each in self._attached.items() if each is connection]
        self._kept = {
            _state(file): f"{name}.main.{table}" for name in names for table, file in files.items()
        }

    def kept(self, connection: duckdb.DuckDBPyConnection, file: Path) -> str | None:
        """Return the table with the rows of a file, if a connection sees such a table."""
        return self._kept.get(_state(file)) if connection in self._attached.values() else None

    def _detach_closed(self, base: duckdb.DuckDBPyConnection) -> None:
        in_use = {relation.partition(".")[0] for relation in self._kept.values()}
        for name, connection in list(self._attached.items()):
            if name not in in_use and _is_closed(connection):
                base.execute(f"detach {name}")
                del self._attached[name]

    def close(self) -> None:
        """Drop all tables."""
        if self._base is not None:
            self._base.close()
            self._base = self._memory = None
            self._attached.clear()
            self._kept.clear()


def _state(file: Path) -> tuple[Path, int, int]:
    """Return what identifies a file in its present state."""
    found = file.stat()
    return file, found.st_ino, found.st_mtime_ns


def _is_closed(connection: duckdb.DuckDBPyConnection) -> bool:
    try:
        connection.cursor().close()
    except duckdb.ConnectionException:
        return True
    return False


_shared: Final[ContextVar[_SharedDatabase | None]] = ContextVar("_shared", default=None)


@contextmanager
def share_database() -> Iterator[None]:
    """Let everything small share one database in memory; its tables are dropped at the end.

    If one is shared already, that is used.
    """
    if _shared.get() is not None:
        yield
        return
    shared = _SharedDatabase()
    token = _shared.set(shared)
    try:
        yield
    finally:
        _shared.reset(token)
        shared.close()


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether a statement needs more memory than the limit, or its commit does."""
    if isinstance(error, duckdb.TransactionException):
        return "allocate" in str(error)
    return isinstance(error, duckdb.OutOfMemoryException)


def create_ledger_view(
    connection: duckdb.DuckDBPyConnection, runs: Sequence[Path], table: str, scratch: Path
) -> None:
    """Create the relation ``<table>_log`` of a ledger file; damaged lines are skipped.

    It is a view, or a table if the file is small: each query on a view opens its file again. DuckDB
    cannot skip a line that is too long, and checks no checksums: a file with a line that is too
    long, or with a wrong checksum, is copied without it to ``scratch``.
    """
    if not ledger_size(runs, table):
        connection.execute(f"create table {table}_log {ledger_columns(table)}")
        return
    files = _ledger_files(runs, table)
    longest = _leave_out_damage(table, files, scratch)
    if is_small(runs, table):
        rows = _ledger_rows(table, "$files", longest)
        values = {"files": list(map(path_pattern, files))}
        connection.execute(f"create table {table}_log as {rows}", values)
    else:
        rows = _ledger_rows(table, _path_list(files), longest)
        connection.execute(f"create view {table}_log as {rows}")


def is_small(runs: Sequence[Path], table: str) -> bool:
    """Return whether the ledger has so few rows of a table that a query need not read its file."""
    return ledger_size(runs, table) <= SMALL_TABLE


def ledger_size(runs: Sequence[Path], table: str) -> int:
    """Return the bytes of a table in the ledgers of runs."""
    return sum(file.stat().st_size for file in _ledger_files(runs, table))


def _ledger_files(runs: Sequence[Path], table: str) -> list[Path]:
    return [file for run in runs if (file := ledger_file(run, table)).exists()]


def ledger_columns(table: str) -> str:
    """Return the columns of a ledger table, in parentheses."""
    names = (f"{column.name} {column.type}" for column in columns(LEDGER_TABLES[table]))
    return f"({', '.join(names)})"


def _leave_out_damage(table: str, files: list[Path], scratch: Path) -> int:
    """Replace damaged files by copies; return the longest line in bytes."""
    longest = 0
    for number, file in enumerate(files):
        length = longest_line(file)
        if length > MAX_LINE or not is_sound(file):
            files[number] = scratch / f"{table}-{number}.jsonl"
            copy_readable_lines(file, files[number])
        longest = max(longest, min(length, MAX_LINE))
    return longest


def _ledger_rows(table: str, files: str, longest: int) -> str:
    item = written = columns(LEDGER_TABLES[table])
    values = "*"
    if table == "entries":
        written = entry_lines.LINE_COLUMNS
        values = ", ".join(map(entry_lines.restored, item))
    elif table == "pages":
        values = ", ".join(map(page_lines.restored, item))
    source = json_rows(files, written, longest)
    return f"select {values} from {source} where {written[0].name} is not null"


def create_table_views(
    connection: duckdb.DuckDBPyConnection, run: Path, tables: Iterable[str] = TABLES
) -> None:
    """Create a view over each Parquet file of a run folder that exists."""
    for table in tables:
        file = table_file(run, table)
        if file.exists():
            rows = parquet_rows(file)
            connection.execute(f"create or replace view {table} as select * from {rows}")


def load_tables(
    connection: duckdb.DuckDBPyConnection, run: Path, tables: Iterable[str] = TABLES
) -> None:
    """Create a relation for each Parquet file of a run folder that exists.

    It is a view, or a table if that pays: see ``relation_kind``.
    """
    shared = _shared.get()
    for table in tables:
        file = table_file(run, table)
        if file.exists():
            if shared and (kept := shared.kept(connection, file)):
                connection.execute(f"create view {table} as from {kept}")
            elif relation_kind(table, file) == "table":
                values = {"file": path_pattern(file)}
                connection.execute(f"create table {table} as from {PARQUET_ROWS}", values)
            else:
                connection.execute(f"create view {table} as from {parquet_rows(file)}")


def keep_tables(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Path]) -> None:
    """Let ``load_tables`` use the tables of a connection in place of the files with their rows.

    That lasts until the tables of another connection are kept, and while a database is shared.
    """
    shared = _shared.get()
    if shared:
        shared.keep(connection, files)


def relation_kind(table: str, file: Path) -> str:
    """Return ``view`` or ``table``: how a Parquet file is read.

    Each query on a view opens its file again: a small file that many queries use becomes a table.
    To create one with nested or many columns takes longer than that.
    """
    is_small_file = table in _OFTEN_USED and file.stat().st_size <= SMALL_FILE
    return "table" if is_small_file else "view"


def json_rows(files: str, item: Iterable[Column], longest: int = MAX_LINE) -> str:
    """Return the rows of JSON Lines with these columns as a source for a query.

    ``files`` is SQL for one path or several. A line that is not JSON is a row of nulls.
    ``longest`` bounds the bytes of a line: DuckDB needs a few times as many for each thread.
    """
    types = ", ".join(f"{sql_string(column.name)}: {sql_string(column.type)}" for column in item)
    return (
        f"read_json({files}, format = 'newline_delimited',"
        f" columns = {{{types}}}, maximum_object_size = {longest}, ignore_errors = true,"
        " hive_partitioning = false)"
    )


def parquet_rows(file: Path, *options: str) -> str:
    """Return the rows of a Parquet file as a source for a query.

    A folder of its path that is named ``name=value`` is not a column.
    """
    path = sql_string(path_pattern(file))
    return f"read_parquet({', '.join((path, 'hive_partitioning = false', *options))})"


PARQUET_ROWS: Final = "read_parquet($file, hive_partitioning = false)"
"""The same for the file whose ``path_pattern`` is the parameter ``file``.

Statements with the same text are parsed once; the query of a view has no parameters.
"""


def path_pattern(file: Path) -> str:
    """Return the pattern of a path: ``*``, ``?`` and ``[`` become ordinary characters."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(file))


def _path_list(files: Iterable[Path]) -> str:
    return f"[{', '.join(sql_string(path_pattern(file)) for file in files)}]"


def sql_string(text: str) -> str:
    """Return a text as a string literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
