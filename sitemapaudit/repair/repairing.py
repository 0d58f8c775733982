"""A finished run → a folder of repaired sitemaps, one folder an origin, and ``changes.csv``."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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
from sitemapaudit.repair.changes import CHANGES, list_changes
from sitemapaudit.repair.contents import fill
from sitemapaudit.repair.decisions import decide
from sitemapaudit.repair.elements import url_element
from sitemapaudit.repair.files import OriginFiles, numbered

LIST: Final = "changes.csv"

_BATCH: Final = 2_000
_LONGEST: Final = 200
"""Characters of a folder's name at most."""

_CONTROL: Final = "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]"
"""What a terminal may obey."""

_LISTS: Final = ("images", "videos", "news", "alternates")
_USED: Final = ", ".join(f"if(bool_or(len({name}) > 0), '{name}', null)" for name in _LISTS)
_ROWS: Final = f"""
    with files as (
        select origin, sitemap,
            list_filter([{_USED}], lambda name: name is not null) as extensions
        from kept left join clusters using (url)
        group by origin, sitemap
    )
    select origin, sitemap, url, lastmod, changefreq, priority, extensions,
        {", ".join(f"to_json({name})::varchar as {name}" for name in _LISTS)}
    from kept join files using (origin, sitemap) left join clusters using (url)
    order by origin, sitemap, url
"""


@dataclass(slots=True, frozen=True)
class Written:
    """The files of an origin: their folder, and their names, the one to be declared first."""

    origin: str
    folder: Path
    names: list[str]


@dataclass(slots=True)
class Repaired:
    """What came of it.

    ``entries`` counts the addresses that the files list, ``unchecked`` those
    among them that nobody asked for (by what left them out; ``None``: that the
    run did not come to them), ``unread`` the sitemaps of which it is not known
    what all they list, ``changes`` the things by what became of them.
    """

    files: list[Written] = field(default_factory=list)
    entries: int = 0
    unchecked: dict[str | None, int] = field(default_factory=dict)
    unread: int = 0
    changes: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Wishes:
    """How to repair: compressed, with what could not be known, without what is faulty itself."""

    packed: bool = False
    keep_unknown: bool = False
    strict: bool = False


def repair(run: Path, into: Path, memory: int, wishes: Wishes) -> Repaired:
    """Write the sitemaps of a run as they should be into a folder that is empty or not there.

    ``memory`` is in megabytes. Raises OSError or duckdb.Error if the folder
    cannot be written; then nothing is left in it.
    """

    def work(connection: duckdb.DuckDBPyConnection) -> Repaired:
        view_tables(connection, run)
        connection.execute(ALTERNATES)
        decide(connection, keep_unknown=wishes.keep_unknown, strict=wishes.strict)
        fill(connection)
        list_changes(connection)
        repaired = Repaired()
        _write_files(connection, into, repaired, packed=wishes.packed)
        _write_changes(connection, into / LIST)
        _count(connection, repaired)
        return repaired

    with _whole(into):
        return work_within(memory, into, work, "Repairing")


@contextmanager
def _whole(folder: Path) -> Iterator[None]:
    """Make a folder; empty it again if what is done with it fails."""
    was_there = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        if not was_there:
            folder.rmdir()
        raise


def _write_files(
    connection: duckdb.DuckDBPyConnection, into: Path, repaired: Repaired, *, packed: bool
) -> None:
    folders = _folders(connection, into)
    for origin, rows in groupby(_rows(connection), key=lambda row: row["origin"]):
        with OriginFiles(folders[origin], origin, packed=packed) as files:
            for row in rows:
                files.add(row["sitemap"], row["extensions"], url_element(row))
                repaired.entries += 1
        repaired.files.append(Written(origin, folders[origin], files.names))
    places = {origin: place for place, origin in enumerate(folders)}
    repaired.files.sort(key=lambda written: places[written.origin])


def _folders(connection: duckdb.DuckDBPyConnection, into: Path) -> dict[str, Path]:
    """Return a folder for each origin, named after its host, those with most addresses first.

    http and https have the same host, and so have some whose names no file
    system takes: all but the first get a number.
    """
    origins = "select origin from kept group by origin order by count(*) desc, origin"
    folders: dict[str, Path] = {}
    taken: set[str] = set()
    for (origin,) in connection.execute(origins).fetchall():
        stem = folder_name(urls.authority(origin))[:_LONGEST]
        name = next(name for name in numbered(stem) if name not in taken)
        taken.add(name)
        folders[origin] = into / name
    return folders


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    found = connection.execute(_ROWS)
    names = [column[0] for column in found.description or ()]
    while rows := found.fetchmany(_BATCH):
        yield from (_read(dict(zip(names, row, strict=True))) for row in rows)


def _read(row: dict[str, Any]) -> dict[str, Any]:
    return row | {name: json.loads(row[name] or "[]") for name in _LISTS}


def _write_changes(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Write what was changed for spreadsheets and terminals: neither is to obey a text of it."""
    texts = [name for name in CHANGES if name != "number"]
    harmless = ", ".join(
        f"regexp_replace({name}, {literal(_CONTROL)}, '\N{REPLACEMENT CHARACTER}', 'g') as {name}"
        for name in texts
    )
    cells = ", ".join(name if name == "number" else cell(name, "VARCHAR") for name in CHANGES)
    connection.execute(
        f"copy (select {cells} from (select * replace ({harmless}) from changes)"
        f" order by sitemap, url, change, reason) to {literal(str(file))} (header)"
    )


def _count(connection: duckdb.DuckDBPyConnection, repaired: Repaired) -> None:
    changes = "select change, sum(number)::bigint from changes group by 1 order by 2 desc, 1"
    repaired.changes = dict(connection.execute(changes).fetchall())
    unchecked = (
        "select left_out, count(*) from decided where unchecked and target is not null"
        " group by 1 order by 2 desc"
    )
    repaired.unchecked = dict(connection.execute(unchecked).fetchall())
    repaired.unread = sum(
        repaired.changes.pop(change, 0) for change in ("not read", "read in part")
    )
