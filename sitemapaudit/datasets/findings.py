"""The ``findings`` table: what the row rules wrote down, and what the queries find."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator
from typing import Final

import duckdb

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.database import literal
from sitemapaudit.items import Subject
from sitemapaudit.rules.rule import Query

_PLACE: Final = ("url", "sitemap", "position")
_SEVERITY: Final = "severity"

_KEEP: Final = f"""
    create table findings as
    select log.rule, log.severity, log.subject, log.url,
        coalesce(log.sitemap, listed.sitemaps[1]) as sitemap,
        log.position, log.message, log.evidence
    from findings_log as log left join listed using (url)
    where log.subject <> '{Subject.PAGE}' or listed.url is not null
"""


def find(connection: duckdb.DuckDBPyConnection, audit: Audit) -> None:
    """Make the table ``findings``.

    Pages are judged as they come, those that no sitemap lists as well: the
    findings on these are dropped here.
    """
    connection.execute(_KEEP)
    ask(connection, audit, audit.queries)


def ask(
    connection: duckdb.DuckDBPyConnection, audit: Audit, queries: Iterable[type[Query]]
) -> None:
    """Add what queries find to the table ``findings``; ``listed`` holds the listed URLs.

    A query that fails is our fault: it is logged and counted, and the rest goes on.
    """
    for rule in queries:
        try:
            connection.execute(_insertion(connection, audit, rule))
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error:
            audit.report_broken(rule.id, "the tables")


def _insertion(connection: duckdb.DuckDBPyConnection, audit: Audit, rule: type[Query]) -> str:
    names = [row[0] for row in connection.execute(f"describe {rule.query}").fetchall()]
    place = {name: f"found.{name}" if name in names else "null" for name in _PLACE}
    evidence = [name for name in names if name not in (*_PLACE, _SEVERITY)]
    join = "join" if rule.subject is Subject.PAGE else "left join"
    return f"""
        insert into findings
        select {literal(rule.id)}, {_severity(audit, rule, names)}, {literal(rule.subject)},
            {place["url"]}, coalesce({place["sitemap"]}, listed.sitemaps[1]), {place["position"]},
            {_message(rule.message)}, {_evidence(evidence)}
        from ({rule.query}) as found {join} listed on listed.url = {place["url"]}
    """


def _severity(audit: Audit, rule: type[Query], names: list[str]) -> str:
    chosen = audit.chosen_severity(rule.id)
    if chosen is None and _SEVERITY in names:
        return f"found.{_SEVERITY}"
    return literal(chosen or rule.severity)


def _message(template: str) -> str:
    """Return the SQL expression that fills a template; it knows plain names only."""
    return " || ".join(_pieces(template)) or "''"


def _pieces(template: str) -> Iterator[str]:
    for text, name, _, _ in string.Formatter().parse(template):
        if text:
            yield literal(text)
        if name:
            yield f"coalesce(found.{name}::varchar, '')"


def _evidence(names: list[str]) -> str:
    if not names:
        return "null"
    values = ", ".join(f"{literal(name)}: found.{name}" for name in names)
    return f"to_json({{{values}}})::varchar"
