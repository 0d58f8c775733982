"""Query the tables of a run with SQL."""

import csv
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import chain, count, islice
from typing import Any, Final

import duckdb
import msgspec
from rich.table import Table

from sitemapaudit.cli.command import SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.options import word_of
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import read_settings
from sitemapaudit.datasets.formats.csv_files import harmless
from sitemapaudit.datasets.run import open_run
from sitemapaudit.output import say
from sitemapaudit.report.terminal import Terminal

SHOWN: Final = 100
"""The number of rows that a table on a terminal shows."""

_BATCH: Final = 1_000

Rows = Iterator[Sequence[Any]]


class Command(BaseCommand):
    """Prints the result of a query; the tables of the run are only read."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the run, the query and the format."""
        parser.add_argument("run", metavar="RUN", help="a run folder, or a folder above it")
        parser.add_argument(
            "query", metavar="QUERY", help="SQL of DuckDB over `urls`, `findings` and other tables"
        )
        parser.add_argument(
            "--as",
            dest="form",
            type=word_of(*_PRINTERS),
            default="table",
            metavar="|".join(_PRINTERS),
            help=f"the form of the result: a table of at most {SHOWN} rows, or all rows as CSV, or"
            " as JSON with one row per line (default: table)",
        )

    def run(self, options: Namespace, settings: Layers) -> int:
        """Run the query, and print its rows."""
        try:
            read_settings(settings)  # A misspelled setting is an error here too.
            result = open_run(options.run).connection.execute(options.query)
            names = [name for name, *_ in result.description or ()]
            _PRINTERS[options.form](names, _rows(result))
        except (ConfigError, OSError, ValueError) as error:
            return refuse(error)
        except duckdb.Error as error:
            return refuse(f"sql: {str(error).partition(chr(10))[0]}")
        return SUCCESS


def _rows(result: duckdb.DuckDBPyConnection) -> Rows:
    while batch := result.fetchmany(_BATCH):
        yield from batch


def _print_table(names: Sequence[str], rows: Rows) -> None:
    table = Table(box=None)
    for name in names:
        table.add_column(name, overflow="fold")
    for row in islice(rows, SHOWN):
        table.add_row(*map(_text, row))
    Terminal().print(table)
    if next(rows, None) is not None:
        say(f"These are the first {SHOWN} rows; --as csv prints all.", error=True)


def _print_csv(names: Sequence[str], rows: Rows) -> None:
    for row in chain([names], rows):
        line = StringIO()
        csv.writer(line, lineterminator="").writerow(harmless(_text(value)) for value in row)
        say(line.getvalue())  # A title cannot control a terminal, and a reader may be gone.


def _print_json(names: Sequence[str], rows: Rows) -> None:
    names = unique_names(names)
    for row in rows:
        values = dict(zip(names, row, strict=True))
        say(msgspec.json.encode(values, enc_hook=str).decode())


def unique_names(names: Sequence[str]) -> list[str]:
    """Return different names of columns: the second ``a`` becomes ``a_2``, for example."""
    unique: dict[str, None] = {}
    for name in names:
        known = {*names, *unique} if name in unique else ()
        tries = (f"{name}_{number}" for number in count(2))
        unique[next(each for each in tries if each not in known) if known else name] = None
    return list(unique)


def _text(value: Any) -> str:
    """Return a value as a cell; a list as words, as in the CSV files of a run."""
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        return " ".join(map(_text, value))
    return "" if value is None else str(value)


_PRINTERS: Final[Mapping[str, Callable[[Sequence[str], Rows], None]]] = {
    "table": _print_table,
    "csv": _print_csv,
    "json": _print_json,
}
