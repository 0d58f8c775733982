"""A query of an assistant over the tables of a run, in a process that can do nothing else.

It reads the tables of the run and no other file, and no network; it writes nothing; its time,
memory, rows and bytes are limited. ``python -m`` of this module is that process.
"""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

SECONDS: Final = 20.0
"""Seconds after which a query is ended."""

MEMORY: Final = 512
"""Megabytes that DuckDB may use."""

_ADDRESSES: Final = 2 << 30
"""Bytes of addresses for the process: DuckDB's limit does not cover the values of functions."""

MAX_BYTES: Final = 40_000
"""Limit for the rows of an answer, in bytes."""


class QueryError(ValueError):
    """A query cannot be answered; the message says why."""


class _Query(Struct):
    run: str
    text: str
    rows: int


class Rows(Struct):
    """The columns and the first rows of a result; ``more`` if it has more of them."""

    columns: list[str] = []
    rows: list[list[Any]] = []
    more: bool = False
    error: str | None = None


def run_query(run: Path, text: str, rows: int, seconds: float = SECONDS) -> Rows:
    """Return the first rows of a SELECT statement. Raises QueryError."""
    given = msgspec.json.encode(_Query(str(run), text, rows))
    command = [sys.executable, "-m", __name__]
    try:
        done = subprocess.run(  # noqa: S603 - our own command
            command, input=given, capture_output=True, timeout=seconds, check=False
        )
        answer = msgspec.json.decode(done.stdout, type=Rows)
    except subprocess.TimeoutExpired:
        raise QueryError(f"The query was ended after {seconds:g} seconds") from None
    except msgspec.DecodeError:
        raise QueryError("The query failed: it needs too much memory") from None
    if answer.error is not None:
        raise QueryError(answer.error)
    return answer


def _limit_process() -> None:
    """Limit the memory of this process, and let it write no file; Windows has no such limits."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not on every system

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))


def _answer(query: _Query) -> Rows:
    # The parent has no need of DuckDB.
    import duckdb  # noqa: PLC0415

    from sitemapaudit.datasets.database import sql_string  # noqa: PLC0415
    from sitemapaudit.datasets.run import open_run  # noqa: PLC0415

    connection = open_run(query.run).connection
    files = (sql_string(str(file)) for file in Path(query.run).glob("*.parquet"))
    connection.execute(
        f"set allowed_paths = [{', '.join(files)}]; set threads = 2;"
        f" set memory_limit = '{MEMORY}MB'; set temp_directory = '';"
        " set enable_external_access = false; set lock_configuration = true"
    )
    try:
        statements = connection.extract_statements(query.text)
        if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
            return Rows(error="Only one SELECT statement is allowed")
        result = connection.execute(query.text)
        return _bound(
            [name for name, *_ in result.description or ()], result.fetchmany(query.rows + 1), query
        )
    except duckdb.Error as error:
        return Rows(error=str(error).partition("\n")[0])


def _bound(columns: list[str], found: Sequence[Sequence[Any]], query: _Query) -> Rows:
    from sitemapaudit.report.embedding import bounded, within  # noqa: PLC0415

    rows = within(([bounded(value) for value in row] for row in found[: query.rows]), MAX_BYTES)
    if len(msgspec.json.encode([columns, rows], enc_hook=str)) > 2 * MAX_BYTES:
        return Rows(error="One row is too large: select fewer columns")
    return Rows(columns, rows, more=len(found) > len(rows))


if __name__ == "__main__":
    _limit_process()
    answer = _answer(msgspec.json.decode(sys.stdin.buffer.read(), type=_Query))
    sys.stdout.buffer.write(msgspec.json.encode(answer, enc_hook=str))
