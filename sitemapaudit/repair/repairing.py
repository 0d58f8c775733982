"""A finished run → a folder of repaired sitemaps, one folder an origin, and ``changes.csv``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import duckdb

from sitemapaudit import urls
from sitemapaudit.datasets.database import literal, view_tables
from sitemapaudit.datasets.folders import folder_name
from sitemapaudit.datasets.relations import ALTERNATES
from sitemapaudit.datasets.tables import cell
from sitemapaudit.datasets.working import work_within
from sitemapaudit.repair.decisions import decide
from sitemapaudit.repair.elements import url_element
from sitemapaudit.repair.files import OriginFiles

CHANGES: Final = "changes.csv"

_BATCH: Final = 2_000
_LISTS: Final = ("images", "videos", "news", "alternates")
_USED: Final = ", ".join(
    f"if(bool_or(len({name}) > 0) over file, '{name}', null)" for name in _LISTS
)
_ROWS: Final = f"""
    select origin, sitemap, url, lastmod, changefreq, priority,
        {", ".join(f"to_json({name})::varchar as {name}" for name in _LISTS)},
        list_filter([{_USED}], lambda name: name is not null) as extensions
    from kept left join clusters using (url)
    window file as (partition by origin, sitemap)
    order by origin, sitemap, url
"""


@dataclass(slots=True)
class Repaired:
    """What came of it: files by origin, addresses that they list, changes by kind."""

    files: dict[str, list[str]] = field(default_factory=dict)
    entries: int = 0
    changes: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Wishes:
    """How to repair: compressed, with what could not be known, without what is faulty itself."""

    packed: bool = False
    keep_unknown: bool = False
    strict: bool = False


def repair(run: Path, into: Path, memory: int, wishes: Wishes) -> Repaired:
    """Write the sitemaps of a run as they should be into a folder, which is made.

    ``memory`` is in megabytes. Raises OSError if the folder cannot be written.
    """
    into.mkdir(parents=True, exist_ok=True)

    def work(connection: duckdb.DuckDBPyConnection) -> Repaired:
        view_tables(connection, run)
        connection.execute(ALTERNATES)
        decide(connection, keep_unknown=wishes.keep_unknown, strict=wishes.strict)
        repaired = Repaired()
        for origin, rows in groupby(_rows(connection), key=lambda row: row["origin"]):
            folder = into / folder_name(urls.authority(origin))
            with OriginFiles(folder, origin, packed=wishes.packed) as files:
                for row in rows:
                    files.add(row["sitemap"], row["extensions"], url_element(row))
                    repaired.entries += 1
            repaired.files[origin] = files.names
        _write_changes(connection, into / CHANGES)
        counted = "select change, count(*) from changes group by 1 order by 2 desc, 1"
        repaired.changes = dict(connection.execute(counted).fetchall())
        return repaired

    return work_within(memory, into, work, "Repairing")


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    found = connection.execute(_ROWS)
    names = [column[0] for column in found.description or ()]
    while rows := found.fetchmany(_BATCH):
        yield from (_read(dict(zip(names, row, strict=True))) for row in rows)


def _read(row: dict[str, Any]) -> dict[str, Any]:
    return row | {name: json.loads(row[name] or "[]") for name in _LISTS}


def _write_changes(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    names = ("url", "sitemap", "change", "replacement", "reason")
    cells = ", ".join(cell(name, "VARCHAR") for name in names)
    connection.execute(f"copy (select {cells} from changes) to {literal(str(file))} (header)")
