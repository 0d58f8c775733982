"""Writes the repaired sitemaps of a run, one folder per origin, and ``changes.csv``."""

import json
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import duckdb
from msgspec import Struct, field

from sitemapaudit import urls
from sitemapaudit.datasets.database import create_table_views, sql_string
from sitemapaudit.datasets.formats.csv_files import write_csv
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.merged_findings import separate_findings
from sitemapaudit.datasets.relations import LANGUAGE_ALTERNATES
from sitemapaudit.datasets.usable_tables import usable_tables
from sitemapaudit.items import Verdict
from sitemapaudit.items.schema import TABLES, UNLISTED, columns
from sitemapaudit.repair.additions import add_unlisted
from sitemapaudit.repair.changes import RepairChange, list_additions, list_changes
from sitemapaudit.repair.contents import build_contents
from sitemapaudit.repair.decisions import decide
from sitemapaudit.repair.elements import url_element
from sitemapaudit.repair.files import ADDITIONS, SITEMAP, OriginFiles, numbered
from sitemapaudit.runs.folder_names import folder_name

CHANGES_FILE: Final = "changes.csv"

_BATCH: Final = 2_000
_MAX_NAME: Final = 200
"""The limit for a folder name in characters."""

_CONTROL: Final = "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]"
"""Characters that can control a terminal."""

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


_READ_ORIGINS: Final = """
    with hosts as (
        select host_without_www(site) as host from robots where audited
        union select host_without_www(sitemap) from kept
    )
    select distinct origin from kept
    where host_without_www(origin) in (from hosts) or exists (from hosts where host = '')
"""


class Written(Struct, frozen=True):
    """The files of an origin: their folder and names, beginning with the one to declare.

    ``address`` is where they belong: the origin, and the path of a build that is published below.
    ``is_whole`` is false if no sitemap of the origin was read, so that it may have others.
    """

    address: str
    folder: Path
    names: list[str]
    is_whole: bool


class Repaired(Struct):
    """The result of a repair.

    ``entries`` counts the written URLs, ``unchecked`` the unchecked ones among them, by skip reason
    (None: not reached by the run), ``failed`` the failed ones, by verdict. ``unread_sitemaps``
    counts the sitemaps that were not read completely, ``changes`` all other changes by kind.
    """

    files: list[Written] = field(default_factory=list)
    entries: int = 0
    unchecked: dict[str | None, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    unread_sitemaps: int = 0
    changes: dict[str, int] = field(default_factory=dict)


class RepairOptions(Struct, frozen=True):
    """The options of the command ``repair``; ``packed`` compresses the files.

    ``add_unlisted`` needs a run that recorded links. ``build_hosts`` and ``build_path`` are those
    of the run.
    """

    packed: bool = False
    drop_unknown: bool = False
    strict: bool = False
    add_unlisted: bool = False
    build_hosts: Collection[str] = ()
    build_path: str = ""

    def address(self, origin: str) -> str:
        """Return where the files of an origin belong."""
        return origin + (self.build_path if urls.authority(origin) in self.build_hosts else "")


def repair(run: Path, into: Path, memory: int, options: RepairOptions) -> Repaired:
    """Write the repaired sitemaps of a run into an empty or new folder.

    ``memory`` is in megabytes. Raises OSError or duckdb.Error if the folder cannot be written;
    then nothing is left in it. Raises ValueError if a table cannot be used.
    """

    def work(connection: duckdb.DuckDBPyConnection) -> Repaired:
        create_table_views(connection, run, [*TABLES, UNLISTED])
        separate_findings(connection, run)
        connection.execute(f"create table alternates as {LANGUAGE_ALTERNATES}")
        decide(connection, drop_unknown=options.drop_unknown, strict=options.strict)
        build_contents(connection)
        list_changes(connection)
        if options.add_unlisted:
            add_unlisted(connection)
            list_additions(connection)
        repaired = Repaired()
        _write_files(connection, into, repaired, options)
        _write_changes(connection, into / CHANGES_FILE)
        _count(connection, repaired)
        return repaired

    with usable_tables(run, tables=[*TABLES, UNLISTED]), _emptied_on_failure(into):
        return run_with_memory_limit(memory, into, work, "Repairing", [run])


@contextmanager
def _emptied_on_failure(folder: Path) -> Iterator[None]:
    """Create a folder; empty it again if the body fails."""
    existed = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        if not existed:
            folder.rmdir()
        raise


def _write_files(
    connection: duckdb.DuckDBPyConnection, into: Path, repaired: Repaired, options: RepairOptions
) -> None:
    folders, read = _folders(connection, into), _read_origins(connection)
    for origin, rows in groupby(_rows(connection), key=lambda row: row["origin"]):
        address, is_whole = options.address(origin), origin in read
        name = SITEMAP if is_whole else ADDITIONS
        with OriginFiles(folders[origin], address, packed=options.packed, name=name) as files:
            for row in rows:
                files.add(row["sitemap"], row["extensions"], url_element(row))
                repaired.entries += 1
        repaired.files.append(Written(address, folders[origin], files.names, is_whole))
    ranks = {folder: rank for rank, folder in enumerate(folders.values())}
    repaired.files.sort(key=lambda written: ranks[written.folder])


def _folders(connection: duckdb.DuckDBPyConnection, into: Path) -> dict[str, Path]:
    """Return a folder for each origin, named after its host; origins with the most URLs come first.

    Names can collide: http and https have the same host, and unsafe characters are replaced. All
    but the first get a number.
    """
    origins = "select origin from kept group by origin order by count(*) desc, origin"
    folders: dict[str, Path] = {}
    taken: set[str] = set()
    for (origin,) in connection.execute(origins).fetchall():
        stem = folder_name(urls.authority(origin))[:_MAX_NAME]
        name = next(name for name in numbered(stem) if name not in taken)
        taken.add(name)
        folders[origin] = into / name
    return folders


def _read_origins(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the origins whose sitemaps were read: those of audited hosts, and of sitemaps.

    Hosts with and without ``www.`` are one. A list of URLs stands for all sitemaps.
    """
    rows = connection.execute(_READ_ORIGINS).fetchall()
    return {origin for (origin,) in rows}


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    cursor = connection.execute(_ROWS)
    names = [column[0] for column in cursor.description or ()]
    while rows := cursor.fetchmany(_BATCH):
        yield from (_parse_lists(dict(zip(names, row, strict=True))) for row in rows)


def _parse_lists(row: dict[str, Any]) -> dict[str, Any]:
    return row | {name: json.loads(row[name] or "[]") for name in _LISTS}


def _write_changes(connection: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Write the changes without texts that act as formulas or control a terminal."""
    types = {column.name: column.type for column in columns(RepairChange)}
    control = sql_string(_CONTROL)
    harmless = ", ".join(
        f"regexp_replace({name}, {control}, '\N{REPLACEMENT CHARACTER}', 'g') as {name}"
        for name, kind in types.items()
        if kind == "VARCHAR"
    )
    ordered = "order by sitemap, url, change, reason"
    source = f"(select * replace ({harmless}) from changes) {ordered}"
    write_csv(connection, types, source, file)


def _count(connection: duckdb.DuckDBPyConnection, repaired: Repaired) -> None:
    changes = "select change, sum(count)::bigint from changes group by 1 order by 2 desc, 1"
    repaired.changes = dict(connection.execute(changes).fetchall())
    unchecked = (
        "select skip_reason, count(*) from decided where unchecked and target is not null"
        " group by 1 order by 2 desc"
    )
    repaired.unchecked = dict(connection.execute(unchecked).fetchall())
    failed = (
        "select last_verdict, count(*) from decided"
        " where not unchecked and not is_own_canonical and target = url"
        f" and verdict <> '{Verdict.INDEXABLE}' group by 1 order by 2 desc, 1"
    )
    repaired.failed = dict(connection.execute(failed).fetchall())
    repaired.unread_sitemaps = sum(
        repaired.changes.pop(change, 0) for change in ("unreadable", "partly read")
    )
