"""Rules checked in memory: a few rows, the tables that a run would have, and a rule's query.

One database serves all tests of a process. Each case runs in a transaction that is rolled back.
The statements are those of a run. They are prepared once, and only those run that the rule needs.
"""

import atexit
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Final

import duckdb
import msgspec
import pandas as pd

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.agent_verdicts import (
    AGENT_TABLES,
    FACTS,
    VERDICTS,
    agents_of,
    fill_agents,
)
from sitemapaudit.datasets.counts import count_unfinished
from sitemapaudit.datasets.database import connect, sql_string
from sitemapaudit.datasets.finding_table import (
    FINDINGS,
    RULE_OPTIONS,
    insert_rule_options,
    insertion,
)
from sitemapaudit.datasets.links.graph import CLICKS, GRAPH, fill_clicks
from sitemapaudit.datasets.links.tables import LINK_TABLES, LOGS, insert_blocks, insert_names
from sitemapaudit.datasets.media_listing import normalize_locs
from sitemapaudit.datasets.media_table import MEDIA_PLACES, MEDIA_TABLES
from sitemapaudit.datasets.page_table import (
    LAST_PAGES,
    LEADS,
    pages_query,
    was_rendered,
    with_all_columns,
)
from sitemapaudit.datasets.relations import RELATIONS
from sitemapaudit.datasets.tables import COPIES, RUN, describe_run
from sitemapaudit.datasets.url_table import LISTED, REPEATED_URLS, URL_TABLES
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
from sitemapaudit.runs.ledger.link_log import parse_block
from sitemapaudit.runs.ledger.records import LinkedItem
from sitemapaudit.runs.manifest import Manifest, Status

Item = Robots | Sitemap | Entries | Page | Rendering | MediaFile | LinkedItem[Page]

_CREATED: Final = re.compile(r"create (?:table|view) (\w+)")

_STATEMENTS: Final = {
    _CREATED.findall(statement)[0]: statement
    for statement in (
        LAST_PAGES,
        REPEATED_URLS,
        LISTED,
        f"create table pages as {pages_query()}",
        *LINK_TABLES,
        *GRAPH,
        *URL_TABLES,
        *MEDIA_PLACES,
        *MEDIA_TABLES,
        *RELATIONS,
        FACTS,
        VERDICTS,
        FINDINGS,
    )
}
"""The statements of a run by the name that each creates, in the order of a run."""

_OF_LINKS: Final = {
    name for statement in (*LINK_TABLES, *GRAPH) for name in _CREATED.findall(statement)
}
"""Those that are empty in a run that recorded no links."""

_TABLE: Final = re.compile(r"\s*create table \w+ as\s")
_SOURCE: Final = re.compile(r"\b(?:from|join)\s+(\w+)")
_UNFINISHED: Final = re.compile(r"\b(?:unchecked_urls|unread_sitemaps|searched)\b")
"""Columns of ``run`` that take long to find out."""

_SOURCES: Final = {
    name: set(_SOURCE.findall(statement)) for name, statement in _STATEMENTS.items()
} | {
    "run": {"urls", "pages"},
    "clicks": {"edges", "moves", "robots"},
    "media_locs": {"media_written"},
}
"""The relations that each statement reads; the first two are filled from these tables.

A relation that is missed here makes the rule fail, and the test with it.
"""


@dataclass(frozen=True)
class Tables:
    """The tables that an audit would build from some items."""

    rows: list[dict[str, Any]]
    broken: Mapping[str, int]
    _items: list[Item] = field(repr=False)

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
            fill_tables(connection, {"urls"})
            return pd.DataFrame(read_rows(connection, "urls"), dtype=object)


def tables_of(
    items: Iterable[Item],
    rule: str | None = None,
    *,
    reason: str | None = None,
    similar: Mapping[str, int] | None = None,
    options: RuleOptions = DEFAULTS,
    **arguments: Any,
) -> Tables:
    """Return the tables of a run with these items, audited by one rule or by all."""
    rows = list(items)
    off = [name for name in catalog() if rule is not None and name != rule]
    audit = Audit(dict.fromkeys(off, "off"), rule_options=options)
    given = {"agent": "Googlebot", "pages": "all", **arguments}
    status = Status.INTERRUPTED if reason else Status.FINISHED
    manifest = Manifest(given, {}, {}, "2026-11-21T12:00:00Z", status, reason=reason)
    manifest.similar = dict(similar or {})
    sources = {name for rule in audit.queries for name in sources_of(rule.query)}
    sources |= {need.table for rule in audit.queries for need in rule.needs}
    with transaction() as connection:
        insert(connection, rows, audit)
        insert_rule_options(connection, audit)
        queries = [rule.query for rule in audit.queries]
        queries += [need.condition for rule in audit.queries for need in rule.needs]
        fill_tables(connection, {"findings", *sources}, manifest, queries)
        for query in audit.queries:
            added = insertion(audit, query, _columns(query.query), f"({query.query})")
            connection.execute(f"execute {_prepared(added)}")
        found = read_rows(connection, "findings")
        _check_needs(connection, audit, {row["rule"] for row in found})
        return Tables(found, audit.broken, rows)


def _check_needs(
    connection: duckdb.DuckDBPyConnection, audit: Audit, found: Collection[str]
) -> None:
    """Check that a run has what each rule needs that found something: else it would not run."""
    for rule in audit.queries:
        if rule.id in found and rule.needs:
            names = [_prepared(query_needs(need.table, [need])) for need in rule.needs]
            rows = [connection.execute(f"execute {name}").fetchall() for name in names]
            assert [(True,)] in rows, rule.id


def sources_of(query: str) -> set[str]:
    """Return the names after ``from`` and ``join`` in a query."""
    return set(_SOURCE.findall(query))


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


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return a database with all tables of a run, which are empty."""
    connection = connect()
    atexit.register(connection.close)
    # To optimize takes two thirds of the time of a statement, and finds nothing in a few rows.
    connection.execute("set threads = 1; pragma disable_optimizer")
    for table, item in LEDGER_TABLES.items():
        connection.execute(f"create table {table}_log ({', '.join(map(_column, columns(item)))})")
    for table, query in COPIES.items():
        connection.execute(f"create view {table} as {query}")
    filled = (RUN, RULE_OPTIONS, LEADS, *LOGS, CLICKS, *AGENT_TABLES)
    for statement in (*filled, *_STATEMENTS.values()):
        connection.execute(statement)
    return connection


def _column(column: Column) -> str:
    return f"{column.name} {column.type}{' default []' if column.type.endswith('[]') else ''}"


_NUMBERS: Final = itertools.count()


@cache
def _prepared(statement: str) -> str:
    """Prepare a statement, unless that was done, and return its name."""
    name = f"statement_{next(_NUMBERS)}"
    _database().execute(f"prepare {name} as {statement}")
    return name


@cache
def _columns(query: str) -> list[str]:
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
    records = [item.links for item in items if isinstance(item, LinkedItem)]
    if records:
        insert_names(connection, [name for record in records for name in record.names])
        blocks = (parse_block(memoryview(record.block), 0) for record in records)
        insert_blocks(connection, [block for block in blocks if block is not None])
    for item in (item.item if isinstance(item, LinkedItem) else item for item in items):
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
    queries: Iterable[str] = (),
) -> None:
    """Fill the tables with these names, and all that their statements use.

    What is unfinished is only counted if these ``queries`` or the statements use it.
    """
    needed = _with_sources(names)
    texts = (*queries, *(_STATEMENTS.get(name, "") for name in needed))
    counts_unfinished = any(map(_UNFINISHED.search, texts))
    has_links = bool(connection.execute("from link_blocks limit 1").fetchall())
    if not has_links:
        needed -= _OF_LINKS
    for name, statement in _STATEMENTS.items():
        if name in needed and (table := _TABLE.match(statement)):
            query = statement[table.end() :]
            if name == "pages":
                rendered = was_rendered(connection)
                query = with_all_columns(pages_query(rendered=rendered), rendered=rendered)
            connection.execute(f"execute {_prepared(f'insert into {name} {query}')}")
        if name == "moves" and has_links:
            fill_clicks(connection)
        if name == "agent_facts" and name in needed and manifest is not None:
            fill_agents(connection, agents_of(manifest))
        if name == "media_locs" and name in needed:
            normalize_locs(connection)
        if name == "urls" and "run" in needed and manifest is not None:
            if counts_unfinished:
                count_unfinished(connection, manifest, [])
            describe_run(connection, manifest)


def _with_sources(names: Collection[str]) -> set[str]:
    needed: set[str] = set()
    open_names = set(names) & _SOURCES.keys()
    while open_names:
        needed |= open_names
        open_names = {word for name in open_names for word in _SOURCES[name]}
        open_names = (open_names & _SOURCES.keys()) - needed
    return needed


def read_rows(connection: duckdb.DuckDBPyConnection, table: str) -> list[dict[str, Any]]:
    found = connection.execute(f"from {table}")
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
