"""Collects all facts about single URLs; if there are too many, those with the worst findings."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

import duckdb
import msgspec
from msgspec import Struct

from sitemapaudit.datasets.database import sql_string
from sitemapaudit.items import Severity
from sitemapaudit.items.schema import RENDERED, Column, table_columns
from sitemapaudit.report.embedding import ADDRESS, bounded, shorten, within
from sitemapaudit.report.finding_groups import COLUMNS, Group, finding_row

MAX_URLS: Final = 2_000
"""Limit for URLs in the report."""

BUDGET: Final = 4_000_000
"""Limit for their part of the report, in bytes."""

MAX_FINDINGS: Final = 20
"""Limit for findings per URL."""

_NO_ITEMS: Final = "[]"
"""An empty list of structures, as JSON."""

_SEPARATE: Final = ("url", "verdict", "indexable")
_ANY_RENDERED: Final = """
    select url from pages where coalesce(rendered_verdict, rendered_error) is not null limit 1
"""
"""A row if there are renderings: otherwise half of all columns have no values."""

_OMITTED: Final = frozenset({"rules", "fingerprint", "rendered_fingerprint", "content_hash"})


class Urls(Struct, frozen=True):
    """The URLs of the report, and the meanings of their facts."""

    rows: list[dict[str, Any]]
    meanings: dict[str, str]


def read_urls(connection: duckdb.DuckDBPyConnection, groups: list[Group]) -> Urls:
    """Return the URLs of the examples, then those with the worst findings, up to the budget."""
    _choose_urls(connection, groups)
    findings = _read_findings(connection)
    rows = within(
        (_report_row(row, findings[row["url"]]) for row in _read_rows(connection)),
        BUDGET,
    )
    columns = (*table_columns("pages"), *table_columns("urls"))
    names = {name for row in rows for name in row["facts"]}
    return Urls(rows, {each.name: each.meaning for each in columns if each.name in names})


def read_url(connection: duckdb.DuckDBPyConnection, url: str) -> dict[str, Any] | None:
    """Return all facts about a listed URL; None if no sitemap lists it."""
    connection.execute(
        "create table chosen as"
        " select url, verdict, indexable, 1 as rank from urls where url = $url",
        {"url": url},
    )
    findings = _read_findings(connection)[url]
    return next((_report_row(row, findings) for row in _read_rows(connection)), None)


def _choose_urls(connection: duckdb.DuckDBPyConnection, groups: list[Group]) -> None:
    examples = {row["url"] for group in groups for row in group.examples if "url" in row}
    connection.execute("create table example_urls (url varchar)")
    if examples:
        connection.execute(
            "insert into example_urls select unnest($urls)", {"urls": sorted(examples)}
        )
    connection.execute(
        "create table chosen as"
        " select url, verdict, indexable, row_number() over () as rank from ("
        f"  select url, verdict, indexable, {_severity_rank(groups)} as severity,"
        "   url in (from example_urls) as is_example, len(rules) as rule_count"
        "  from urls"
        "  order by is_example desc, severity desc, coalesce(indexable, true), rule_count desc, url"
        f"  limit {MAX_URLS})"
    )


def _severity_rank(groups: list[Group]) -> str:
    """Return the SQL for the highest severity of the rules that a URL breaks; 0 without one."""
    cases = []
    for severity in reversed(Severity):
        rules = ", ".join(sql_string(each.rule) for each in groups if each.severity is severity)
        if rules:
            cases.append(f"when list_has_any(rules, [{rules}]) then {severity.rank + 1}")
    return f"case {' '.join(cases)} else 0 end" if cases else "0"


def _read_rows(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    """Yield the values of each URL by their columns; most columns are empty."""
    rendered = connection.execute(_ANY_RENDERED).fetchone()
    columns: dict[str, tuple[str, Column]] = {}
    for table in ("urls", "pages"):
        for column in table_columns(table):
            if column.name not in _OMITTED and (rendered or not column.name.startswith(RENDERED)):
                columns.setdefault(column.name, (table, column))
    for name in _own_names(connection):
        columns[name] = "urls", Column(name, "VARCHAR", "")
    selected = ", ".join(_column(table, column) for table, column in columns.values())
    cursor = connection.execute(
        f"select {selected} from urls join chosen using (url)"
        " left join (from pages semi join chosen using (url)) as pages using (url)"
        " order by rank"
    )
    structures = {name for name, (_, column) in columns.items() if _is_structure(column)}
    while rows := cursor.fetchmany(500):
        for row in rows:
            yield {
                name: msgspec.json.decode(value) if name in structures else value
                for name, value in zip(columns, row, strict=True)
                if (value or value == 0) and value != _NO_ITEMS
            }


def _own_names(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of own columns (AUDIT_COLUMNS)."""
    known = {column.name for column in table_columns("urls")}
    return [
        name for name, *_ in connection.execute("describe urls").fetchall() if name not in known
    ]


def _column(table: str, column: Column) -> str:
    """Return the SQL for a column: timestamps as text, structures as JSON."""
    name = f"{table}.{column.name}"
    if column.type == "TIMESTAMPTZ":
        return f"strftime({name}, '%Y-%m-%d %H:%M:%S UTC')"
    return f"to_json({name})" if _is_structure(column) else name


def _is_structure(column: Column) -> bool:
    return column.type.startswith("STRUCT")


def _read_findings(connection: duckdb.DuckDBPyConnection) -> dict[str, list[dict[str, Any]]]:
    ranks = ", ".join(sql_string(severity) for severity in reversed(Severity))
    rows = connection.execute(
        f"select {COLUMNS} from (from findings union all by name from occurrences)"
        " semi join chosen using (url)"
        f" qualify row_number() over (partition by url order by list_position([{ranks}], severity),"
        f" rule, sitemap, position, message) <= {MAX_FINDINGS}"
        f" order by url, list_position([{ranks}], severity), rule"
    ).fetchall()
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        values = dict(zip(COLUMNS.split(", "), row, strict=True))
        found[values.pop("url")].append(finding_row(values | {"url": None}))
    return found


def _report_row(row: dict[str, Any], findings: list[dict[str, Any]]) -> dict[str, Any]:
    facts = {
        name: fact
        for name, value in row.items()
        if name not in _SEPARATE and (fact := bounded(value)) not in (None, "", [])
    }
    return {
        "url": shorten(row["url"], ADDRESS),
        "verdict": row.get("verdict"),
        "facts": facts,
        "findings": findings,
    }
