"""Connections to DuckDB that parse each statement once in a process.

A process that builds the results of several runs executes the same statements again; to parse them
takes an eighth of the time of a small run.
"""

from __future__ import annotations

import atexit
from typing import Any, Final, cast

import duckdb

_MAX_KEPT: Final = 1_024
"""The number of texts that are remembered; those that name a file of a run do not occur again."""

_parsed: Final[dict[str, list[duckdb.Statement]]] = {}
# Otherwise DuckDB's library reports them as leaks.
atexit.register(_parsed.clear)


def parse_once(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Return a connection that does the same with fewer parsings."""
    return cast("duckdb.DuckDBPyConnection", _Connection(connection))


class _Connection:
    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def execute(self, query: str, parameters: object = None) -> duckdb.DuckDBPyConnection:
        """Execute statements; the parameters are those of the last one.

        Raises duckdb.ParserException if there is none, as in a comment.
        """
        statements = _parsed.get(query)
        if statements is None:
            statements = self._connection.extract_statements(query)
            if not statements:
                raise duckdb.ParserException("The query has no statement.")
            if len(_parsed) == _MAX_KEPT:
                _parsed.clear()
            _parsed[query] = statements
        *others, last = statements
        for statement in others:
            self._connection.execute(statement)
        return self._connection.execute(last, parameters)

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return another connection to the same database."""
        return parse_once(self._connection.cursor())

    def __enter__(self) -> duckdb.DuckDBPyConnection:
        return cast("duckdb.DuckDBPyConnection", self)

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)
