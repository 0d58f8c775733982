"""Counts the statements of SQL that a process begins, or kills it at one of them."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb


def count_statements(file: Path) -> None:
    """Let this process write a byte to a file whenever it begins a statement."""
    log = file.open("ab", buffering=0)
    _before_each(lambda: log.write(b"."))


def kill_at_statement(number: int) -> None:
    """Let this process kill itself instead of beginning statement ``number``, counted from 1."""
    rest = list(range(number))

    def count_down() -> None:
        rest.pop()
        if not rest:
            os.kill(os.getpid(), signal.SIGKILL)

    _before_each(count_down)


def _before_each(action: Callable[[], object]) -> None:
    original: Any = duckdb.DuckDBPyConnection.execute

    def execute(*arguments: Any, **named: Any) -> Any:
        action()
        return original(*arguments, **named)

    duckdb.DuckDBPyConnection.execute = execute  # type: ignore[method-assign]
