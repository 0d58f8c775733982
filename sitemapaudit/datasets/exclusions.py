"""Regular expressions for ``--exclude`` that match some listed URLs and no others."""

import re
from collections.abc import Sequence
from os.path import commonprefix
from typing import Final

import duckdb

MAX_NAMED: Final = 5
"""The number of URLs that an expression names one by one."""

_BELOW: Final = "select count(*) from urls where starts_with(url, ?)"


def exclusion_of(
    connection: duckdb.DuckDBPyConnection, first: Sequence[str], last: str, number: int
) -> str | None:
    """Return an expression for URLs: the ``first`` of them in order, the ``last``, their number.

    None if there are too many of them, and other URLs in their folder.
    """
    shared = commonprefix([first[0], last])  # noqa: RUF071 - the letters of URLs, not of paths
    folder = shared.rpartition("/")[0] + "/"
    (found,) = connection.execute(_BELOW, [folder]).fetchall()
    if number > 1 and found == (number,):
        return f"^{re.escape(folder)}"
    if number > len(first):
        return None
    names = "|".join(re.escape(url.removeprefix(folder)) for url in first)
    return f"^{re.escape(folder)}{names if number == 1 else f'({names})'}$"
