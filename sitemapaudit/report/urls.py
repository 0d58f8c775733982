"""Everything known of single URLs: of all, or of those that matter most where there are many."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import duckdb

from sitemapaudit.datasets.database import literal
from sitemapaudit.datasets.schema import Column, table_columns
from sitemapaudit.items import Severity
from sitemapaudit.report.embedding import ADDRESS, ELLIPSIS, cut, within
from sitemapaudit.report.findings import COLUMNS, Group, finding_row

SHOWN: Final = 2_000
"""URLs of which the page holds everything."""

BUDGET: Final = 4_000_000
"""Bytes of the page that they may take."""

FINDINGS: Final = 20
ITEMS: Final = 20
"""Of one URL: findings, and members of a list, that are shown."""

_OWN: Final = ("url", "verdict", "indexable")
_UNTOLD: Final = frozenset(
    {"rules", "fingerprint", "rendered_fingerprint", "content_hash", "render"}
)


@dataclass(slots=True, frozen=True)
class Urls:
    """The URLs that are shown, and what their facts mean."""

    shown: list[dict[str, Any]]
    meanings: dict[str, str]


def urls(connection: duckdb.DuckDBPyConnection, found: list[Group]) -> Urls:
    """Return the URLs of the examples, and then the gravest, as many as the page may hold."""
    _choose(connection, found)
    findings = _findings(connection)
    shown = within(
        (_shown(row, findings[row["url"]]) for row in _rows(connection)),
        BUDGET,
    )
    columns = (*table_columns("pages"), *table_columns("urls"))
    told = {name for row in shown for name in row["facts"]}
    return Urls(shown, {each.name: each.meaning for each in columns if each.name in told})


def _choose(connection: duckdb.DuckDBPyConnection, found: list[Group]) -> None:
    examples = {row["url"] for group in found for row in group.examples if "url" in row}
    connection.execute("create table exemplary (url varchar)")
    if examples:
        connection.execute("insert into exemplary select unnest($urls)", {"urls": sorted(examples)})
    connection.execute(
        "create table chosen as"
        " select url, verdict, indexable, row_number() over () as rank from ("
        f"  select url, verdict, indexable, {_gravity(found)} as gravity,"
        "   url in (from exemplary) as exemplary, len(rules) as number"
        "  from urls"
        "  order by exemplary desc, gravity desc, coalesce(indexable, true), number desc, url"
        f"  limit {SHOWN})"
    )


def _gravity(found: list[Group]) -> str:
    """Return the SQL for the rank of the gravest rule that was found on a URL, 0 for none."""
    cases = []
    for severity in reversed(Severity):
        rules = ", ".join(literal(each.rule) for each in found if each.severity is severity)
        if rules:
            cases.append(f"when list_has_any(rules, [{rules}]) then {severity.rank + 1}")
    return f"case {' '.join(cases)} else 0 end" if cases else "0"


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[dict[str, Any]]:
    columns: dict[str, tuple[str, Column]] = {}
    for table in ("urls", "pages"):
        for column in table_columns(table):
            if column.name not in _UNTOLD:
                columns.setdefault(column.name, (table, column))
    told = ", ".join(_column(table, column) for table, column in columns.values())
    cursor = connection.execute(
        f"select {told} from urls join chosen using (url)"
        " left join (from pages semi join chosen using (url)) as pages using (url)"
        " order by rank"
    )
    while rows := cursor.fetchmany(500):
        for row in rows:
            yield {
                name: _parsed(column, value)
                for (name, (_, column)), value in zip(columns.items(), row, strict=True)
            }


def _column(table: str, column: Column) -> str:
    """Return the SQL for a column: times as text, structures as JSON."""
    name = f"{table}.{column.name}"
    if column.type == "TIMESTAMPTZ":
        return f"strftime({name}, '%Y-%m-%d %H:%M:%S UTC')"
    return f"to_json({name})" if _is_structure(column) else name


def _parsed(column: Column, value: Any) -> Any:
    return json.loads(value) if value and _is_structure(column) else value


def _is_structure(column: Column) -> bool:
    return column.type.startswith("STRUCT")


def _findings(connection: duckdb.DuckDBPyConnection) -> dict[str, list[dict[str, Any]]]:
    ranks = ", ".join(literal(severity) for severity in reversed(Severity))
    rows = connection.execute(
        f"select {COLUMNS} from findings semi join chosen using (url)"
        f" qualify row_number() over (partition by url order by list_position([{ranks}], severity),"
        f" rule, sitemap, position, message) <= {FINDINGS}"
        f" order by url, list_position([{ranks}], severity), rule"
    ).fetchall()
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        values = dict(zip(COLUMNS.split(", "), row, strict=True))
        found[values.pop("url")].append(finding_row(values | {"url": None}))
    return found


def _shown(row: dict[str, Any], findings: list[dict[str, Any]]) -> dict[str, Any]:
    facts = {
        name: told
        for name, value in row.items()
        if name not in _OWN and (told := _told(value)) not in (None, "", [])
    }
    return {
        "url": cut(row["url"], ADDRESS),
        "verdict": row["verdict"],
        "facts": facts,
        "findings": findings,
    }


def _told(value: Any) -> Any:
    """Return a value as the page tells it: no text too long, no list too long."""
    if isinstance(value, dict):
        parts = (f"{name}: {_told(part)}" for name, part in value.items() if part is not None)
        return cut(", ".join(parts))
    if isinstance(value, list):
        more = len(value) - ITEMS
        return [*_items(value), *([f"{ELLIPSIS} and {more:,} more"] if more > 0 else [])]
    if value is None or isinstance(value, bool | int | float):
        return value
    return cut(str(value), ADDRESS)


def _items(values: Iterable[Any]) -> list[Any]:
    return [_told(value) for value, _ in zip(values, range(ITEMS), strict=False)]
