"""The ``findings`` table: the findings of row rules in the ledger, and those of query rules."""

import string
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import duckdb

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.damage import count_repeated
from sitemapaudit.datasets.database import is_out_of_memory, is_small, sql_string
from sitemapaudit.datasets.groups_of_urls import create_in_groups
from sitemapaudit.datasets.refusals import describe_refusal
from sitemapaudit.items import Severity, Subject
from sitemapaudit.rules.needs import Need, query_needs
from sitemapaudit.rules.rule import QueryRule

_PLACE: Final = ("url", "sitemap", "position", "line")
_SEVERITY: Final = "severity"
_SEVERITIES: Final = ", ".join(f"'{severity}'" for severity in Severity)

FINDINGS: Final = f"""
    select log.rule, log.severity, log.subject, log.url,
        coalesce(log.sitemap, listed.sitemaps[1]) as sitemap,
        if(log.sitemap is null, listed.position, log.position) as position,
        if(log.sitemap is null, listed.line, log.line) as line,
        log.message, log.evidence, log.cause, 1::bigint as occurrences
    from (
        from findings_log
        anti join (select '{Subject.PAGE}' as subject, url from rechecks_log) using (subject, url)
        union all by name
        select unnest(finding) from (select unnest(findings) as finding from rechecks_log)
    ) as log left join listed using (url)
    where log.subject <> '{Subject.PAGE}' or listed.url is not null
"""
"""The findings of row rules; those on pages get the place of the entry that lists the page.

Of a rechecked page, these are the findings on its second response.
"""

_EACH_ONCE: Final = "create or replace table findings as select distinct * from findings"

RULE_OPTIONS: Final = "(deep_clicks bigint)"
"""The options of single rules that query rules use, in one row."""

LINES: Final = """
    update findings set line = entries.line from entries
    where findings.line is null and findings.position is not null
        and entries.sitemap = findings.sitemap and entries.position = findings.position
"""
"""The lines of entries that queries found."""


def store_findings(build: Build, relation: Relation) -> None:
    """Create the table ``findings``."""
    if is_small(build.runs, "findings"):
        build.connection.execute(relation.statement)
        return
    # The log is read once.
    build.connection.execute("create temp table logged as from findings_log")
    sources = {"findings_log": "logged", "rechecks_log": "main.rechecks_log"}
    sources["listed"] = "main.listed"
    create_in_groups(build.connection, relation.name, relation.sql, sources)
    build.connection.execute("drop table logged")


def drop_repeated_findings(build: Build) -> None:
    """Keep one of equal findings in ``findings``."""
    if count_repeated(build.connection, "findings", "findings"):
        build.connection.execute(_EACH_ONCE)


def fill_rule_options(build: Build) -> None:
    """Fill the table ``rule_options``."""
    deep_clicks = build.audit.rule_options.deep_clicks
    build.connection.execute("insert into rule_options values (?)", [deep_clicks])


def needed_queries(
    connection: duckdb.DuckDBPyConnection, queries: Iterable[type[QueryRule]]
) -> list[type[QueryRule]]:
    """Return the queries that may find something in the tables."""
    rules = list(queries)
    needed: dict[str, list[Need]] = {}
    for need in dict.fromkeys(need for rule in rules for need in rule.needs):
        needed.setdefault(need.table, []).append(need)
    met: set[Need] = set()
    for table, needs in needed.items():
        try:
            found = connection.execute(query_needs(table, needs)).fetchall()[0]
        except duckdb.Error as error:
            _raise_refusal(error)
            found = (True,) * len(needs)  # A need that no query can answer does not stop rules.
        met.update(need for need, is_met in zip(needs, found, strict=True) if is_met)
    return [rule for rule in rules if not rule.needs or not met.isdisjoint(rule.needs)]


def run_queries(
    connection: duckdb.DuckDBPyConnection, audit: Audit, queries: Iterable[type[QueryRule]]
) -> None:
    """Add the findings of query rules to the table ``findings``; ``listed`` has the listed URLs.

    A query that fails is our fault: it is logged and counted, and affects no other.
    """
    for rule in queries:
        try:
            # Most queries find nothing, and then nothing more needs to be planned.
            created = connection.execute(f"create or replace table found as {rule.query}")
            if created.fetchall() != [(0,)]:
                columns = connection.execute("from found limit 0").description or ()
                connection.execute(insertion(audit, rule, [name for name, *_ in columns]))
        except duckdb.Error as error:
            _raise_refusal(error)
            audit.report_broken(rule.id, "the tables")


def _raise_refusal(error: duckdb.Error) -> None:
    """Raise an error that is the fault of the machine, and not of a rule."""
    if is_out_of_memory(error) or describe_refusal(error):
        raise error


def insertion(
    audit: Audit, rule: type[QueryRule], names: Sequence[str], source: str = "found"
) -> str:
    """Return the statement that adds what a rule found to the table ``findings``.

    ``names`` are the columns of its query; ``source`` is a table with the result, or the query
    itself in parentheses.
    """
    place = {name: f"found.{name}" if name in names else "null" for name in _PLACE}
    sitemap, position = place["sitemap"], place["position"]
    # The first entry of a listed URL is where its findings are, unless the query says another.
    at_first = f"{position} is null and coalesce({sitemap} = listed.sitemaps[1], {sitemap} is null)"
    evidence = [name for name in names if name[0] != "_" and name not in (*_PLACE, _SEVERITY)]
    join = "join" if rule.subject is Subject.PAGE else "left join"
    return f"""
        insert into findings
        select {sql_string(rule.id)}, {_severity(audit, rule, names)}, {sql_string(rule.subject)},
            {place["url"]}, coalesce({sitemap}, listed.sitemaps[1]),
            if({at_first}, listed.position, {position}),
            if({at_first}, listed.line, {place["line"]}),
            {_message(rule.message)}, {_evidence(evidence)},
            {_message(rule.cause) if rule.cause else "null"}, 1
        from {source} as found {join} listed on listed.url = {place["url"]}
    """


def _severity(audit: Audit, rule: type[QueryRule], names: Sequence[str]) -> str:
    chosen = audit.chosen_severity(rule.id)
    if chosen is None and _SEVERITY in names:
        found = f"found.{_SEVERITY}::varchar"
        unknown = f"error('the severity ' || coalesce({found}, 'null') || ' is unknown')"
        return f"if({found} in ({_SEVERITIES}), {found}, {unknown})"
    return sql_string(chosen or rule.severity)


def _message(template: str) -> str:
    """Return the SQL expression that fills a message; it supports plain names only."""
    return " || ".join(_message_parts(template)) or "''"


def _message_parts(template: str) -> Iterator[str]:
    for text, name, _, _ in string.Formatter().parse(template):
        if text:
            yield sql_string(text)
        if name:
            yield f"coalesce(in_message(found.{name}), '')"


def _evidence(names: list[str]) -> str:
    if not names:
        return "null"
    values = ", ".join(f"{sql_string(name)}: found.{name}" for name in names)
    return f"to_json({{{values}}})::varchar"
