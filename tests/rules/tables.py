"""Rules checked in memory: a few rows, the tables that a run would have, and a rule's query.

One database serves all tests of a process. Each case runs in a transaction that is rolled back.
The statements are those of a run. They are prepared once, and only those run that the rule needs.
"""

import atexit
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import duckdb
import msgspec
import pandas as pd

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import connect, sql_string
from sitemapaudit.datasets.finding_table import insertion
from sitemapaudit.datasets.page_table import page_rows, store_pages
from sitemapaudit.datasets.recipe import RECIPE, needed_relations
from sitemapaudit.datasets.run_table import describe_run
from sitemapaudit.items import (
    Entries,
    Finding,
    MediaFile,
    Page,
    RecheckedPage,
    Rendering,
    Robots,
    Sitemap,
)
from sitemapaudit.items.schema import LEDGER_TABLES, Column, columns
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.needs import query_needs
from sitemapaudit.rules.rule_options import DEFAULTS, RuleOptions
from sitemapaudit.runs.ledger.link_log import EDGES, FILES, NAMES, LinkRecord, has_links, link_file
from sitemapaudit.runs.ledger.records import ReadItem
from sitemapaudit.runs.manifest import Manifest, Status

Item = Robots | Sitemap | Entries | Page | Rendering | MediaFile | ReadItem[Page]

_LOGS: Final = {f"{table}_log": item for table, item in LEDGER_TABLES.items()}

_UNFINISHED: Final = re.compile(r"\b(?:unchecked_urls|unread_sitemaps|searched)\b")
"""Columns of ``run`` that take long to find out."""


def manifest_of(reason: str | None = None, **arguments: Any) -> Manifest:
    """Return the manifest of a run with these arguments, which was stopped if there is a reason."""
    given = {"agent": "Googlebot", "pages": "all", **arguments}
    status = Status.INTERRUPTED if reason else Status.FINISHED
    return Manifest(given, {}, {}, "2026-11-21T12:00:00Z", status, reason=reason)


@dataclass(frozen=True)
class Tables:
    """The tables that an audit would build from some items."""

    rows: list[dict[str, Any]]
    broken: Mapping[str, int]
    _items: list[Item] = field(repr=False)
    _manifest: Manifest = field(repr=False)

    @cached_property
    def findings(self) -> pd.DataFrame:
        """The findings as a frame."""
        names = [column.name for column in columns(Finding)]
        return pd.DataFrame(self.rows, columns=names, dtype=object)

    @cached_property
    def urls(self) -> pd.DataFrame:
        """The listed URLs with their verdicts; only few tests need them."""
        with transaction() as connection:
            insert(connection, self._items, None)
            fill_tables(connection, {"urls"}, self._manifest)
            return pd.DataFrame(read_rows(connection, "urls"), dtype=object)


def tables_of(
    items: Iterable[Item],
    rule: str | None = None,
    *,
    reason: str | None = None,
    similar: Mapping[str, int] | None = None,
    domains: Iterable[str] = (),
    options: RuleOptions = DEFAULTS,
    **arguments: Any,
) -> Tables:
    """Return the tables of a run with these items, audited by one rule or by all."""
    rows = list(items)
    off = [name for name in catalog() if rule is not None and name != rule]
    audit = Audit(dict.fromkeys(off, "off"), rule_options=options)
    manifest = manifest_of(reason, **arguments)
    manifest.similar = dict(similar or {})
    manifest.link_domains = list(domains)
    queries = [rule.query for rule in audit.queries]
    queries += [f"{need.table} {need.condition}" for rule in audit.queries for need in rule.needs]
    with transaction() as connection:
        insert(connection, rows, audit)
        fill_tables(connection, {"findings", *words(*queries)}, manifest, audit)
        for query in audit.queries:
            added = insertion(audit, query, query_columns(query.query), f"({query.query})")
            connection.execute(f"execute {_prepared(added)}")
        found = read_rows(connection, "findings")
        _check_needs(connection, audit, {row["rule"] for row in found})
        return Tables(found, audit.broken, rows, manifest)


def manifest_in_memory(
    items: Iterable[Item], reason: str | None = None, **arguments: Any
) -> Manifest:
    """Return the manifest of a run with these items: what was not done, and why."""
    manifest = manifest_of(reason, **arguments)
    explain(items, manifest)
    return manifest


def explain(items: Iterable[Item], manifest: Manifest) -> None:
    """Record in a manifest what a run with these items did not do, and why."""
    with transaction() as connection:
        insert(connection, items, None)
        fill_tables(connection, {"run", "unchecked_urls"}, manifest)


def _check_needs(
    connection: duckdb.DuckDBPyConnection, audit: Audit, found: Collection[str]
) -> None:
    """Check that a run has what each rule needs that found something: else it would not run."""
    for rule in audit.queries:
        if rule.id in found and rule.needs:
            names = [_prepared(query_needs(need.table, [need])) for need in rule.needs]
            rows = [connection.execute(f"execute {name}").fetchall() for name in names]
            assert [(True,)] in rows, rule.id


def words(*queries: str) -> set[str]:
    """Return the words of queries, among them the relations that they read."""
    return set(re.findall(r"\w+", " ".join(queries)))


def rule_on(tables: Tables, rule: str) -> list[tuple[str | None, str, str]]:
    """Return URL, severity and message of each finding of one rule."""
    assert tables.broken == {}
    rows = [row for row in tables.rows if row["rule"] == rule]
    rows.sort(key=lambda row: (row["url"] is None, row["url"] or "", row["position"] or 0))
    return [(row["url"], row["severity"], row["message"]) for row in rows]


@contextmanager
def transaction() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = _database()
    connection.begin()
    try:
        yield connection
    finally:
        connection.rollback()
        for name in FILES:
            link_file(_run(), name).unlink(missing_ok=True)


@cache
def _run() -> Path:
    """Return a run folder for the links of the present transaction."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    link_file(Path(folder.name), EDGES).parent.mkdir()
    return Path(folder.name)


def _record_links(record: LinkRecord) -> None:
    with link_file(_run(), NAMES).open("a", encoding="utf-8") as names:
        names.writelines(f"{name}\n" for name in record.names)
    with link_file(_run(), EDGES).open("ab") as edges:
        edges.write(record.block)


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return a database with all tables of a run, which are empty.

    It is not the one that tests and runs in this process share: the memory limit of a run is that
    of a whole database.
    """
    connection = Context().run(connect)
    atexit.register(connection.close)
    # To optimize takes two thirds of the time of a statement, and finds nothing in a few rows.
    connection.execute("set threads = 1; pragma disable_optimizer")
    everything = manifest_of(links="record", media="check", agents="Bingbot")
    for relation in needed_relations([relation.name for relation in RECIPE], everything):
        connection.execute(_statement(relation))
    return connection


def _statement(relation: Relation) -> str:
    """Return the statement that creates a relation in the database of the tests."""
    if item := _LOGS.get(relation.name):
        return f"create table {relation.name} ({', '.join(map(_column, columns(item)))})"
    if _is_copy(relation):
        return f"create view {relation.name} as {relation.sql}"
    return relation.statement


def _is_copy(relation: Relation) -> bool:
    """Return whether a relation has just the rows of the ledger: then a view costs nothing."""
    return relation.sql == f"from {relation.name}_log"


def _column(column: Column) -> str:
    return f"{column.name} {column.type}{' default []' if column.type.endswith('[]') else ''}"


class _Preparing:
    """A connection that prepares each query once; what is planned again takes most of the time."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def execute(self, query: str, parameters: object = None) -> duckdb.DuckDBPyConnection:
        is_query = query.split(maxsplit=1)[0] in ("from", "select", "with")
        if parameters is None and is_query:
            query = f"execute {_prepared(query)}"
        return self._connection.execute(query, parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


_NUMBERS: Final = itertools.count()


@cache
def _prepared(statement: str) -> str:
    """Prepare a statement, unless that was done, and return its name."""
    name = f"statement_{next(_NUMBERS)}"
    _database().execute(f"prepare {name} as {statement}")
    return name


@cache
def query_columns(query: str) -> list[str]:
    """Return the names of the columns of a query."""
    return [name for name, *_ in _database().execute(f"describe {query}").fetchall()]


@cache
def _insertion(table: str, item: type, names: tuple[str, ...]) -> str:
    """Return the prepared statement that inserts rows in the JSON of the ledger.

    Only columns with these names are read: each costs time. Others are null, and lists are empty.
    """
    types = {column.name: column.type for column in columns(item) if column.name in names}
    structure = msgspec.json.encode([types]).decode()
    rows = f"unnest(from_json($1::json, {sql_string(structure)}), max_depth := 2)"
    return _prepared(f"insert into {table}_log ({', '.join(types)}) select {rows}")


def _names_with_values(rows: Iterable[Any], item: type) -> tuple[str, ...]:
    """Return the columns of which a row has another value than an insertion gives it."""
    lists = {column.name: column.type.endswith("[]") for column in columns(item)}
    return tuple(
        name
        for name, is_list in lists.items()
        if any(getattr(row, name) not in (([], ()) if is_list else (None,)) for row in rows)
    )


def insert(
    connection: duckdb.DuckDBPyConnection, items: Iterable[Item], audit: Audit | None
) -> None:
    """Insert items, and the findings of row rules."""
    rows: dict[type, list[Any]] = {item: [] for item in LEDGER_TABLES.values()}
    items = list(items)
    for item in items:
        if isinstance(item, ReadItem) and item.links is not None:
            _record_links(item.links)
    for item in (item.item if isinstance(item, ReadItem) else item for item in items):
        new = item.rows if isinstance(item, Entries) else [item]
        for row in new:
            rows[type(row)].append(row)
        if audit is not None:
            findings = audit.examine(item)
            if isinstance(item, RecheckedPage):
                item.findings = findings
            else:
                rows[Finding] += findings
    for table, item_type in LEDGER_TABLES.items():
        if rows[item_type]:
            text = sql_string(msgspec.json.encode(rows[item_type]).decode())
            names = _names_with_values(rows[item_type], item_type)
            connection.execute(f"execute {_insertion(table, item_type, names)}({text})")


def fill_tables(
    connection: duckdb.DuckDBPyConnection,
    names: Collection[str],
    manifest: Manifest | None = None,
    audit: Audit | None = None,
) -> None:
    """Fill the relations with these names, and all that they need, as a run does.

    What is unfinished is only counted if something uses it.
    """
    manifest = manifest or manifest_of()
    connection = cast("duckdb.DuckDBPyConnection", _Preparing(connection))
    build = Build(connection, manifest, audit or Audit(), [_run()] if has_links(_run()) else [])
    relations = needed_relations(names, manifest)
    queries = [*names, *(relation.sql for relation in relations if relation.name != "run")]
    read = {column for query in queries for column in _UNFINISHED.findall(query)}
    # Without a site, no sitemap was searched, whatever was read.
    counts_unfinished = bool(read - ({"searched"} if not manifest.arguments.get("site") else set()))
    for relation in relations:
        if relation.name in _LOGS or _is_copy(relation):
            continue
        if not relation.sql.startswith("("):
            query = relation.sql
            if relation.store is store_pages:
                rows, every_column = page_rows(connection)
                query = every_column.format(rows)
            insertion = _prepared(f"insert into {relation.name} {query}")
            connection.execute(f"execute {insertion}")
        if relation.name == "run" and not counts_unfinished:
            describe_run(connection, manifest)
        elif relation.fill:
            relation.fill(build)


def read_rows(connection: duckdb.DuckDBPyConnection, table: str) -> list[dict[str, Any]]:
    found = connection.execute(f"from {table}")
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
