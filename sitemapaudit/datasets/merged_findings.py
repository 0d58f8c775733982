"""Merges findings that say one thing about many entries of a sitemap, such as a template's fault.

The table ``findings`` keeps one of them, with a count and examples. The table ``occurrences`` keeps
each, so that no URL loses the rules that it breaks.
"""

from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import parquet_rows
from sitemapaudit.items import Subject
from sitemapaudit.runs.folders import table_file

MANY: Final = 100
"""Entries or pages with findings of one rule, cause and severity in one sitemap, not merged."""

MAX_EXAMPLES: Final = 10

NUMBER_FOUND: Final = "sum(occurrences)::bigint"
"""The number of findings, each merged one as often as it was found."""

_CAUSE: Final = "rule, severity, subject, sitemap, cause"
_PLACES: Final = "count(distinct coalesce(hash(position), hash(url)))"
"""A page or an entry can have several findings of one rule."""

MERGED_CAUSES: Final = f"""
    select {_CAUSE}, count(*) as found, {_PLACES} as places
    from findings where cause is not null and sitemap is not null
    group by all having found > {MANY} and places > {MANY}
"""
"""The causes whose findings are merged."""

OCCURRENCES: Final = f"from findings semi join merged_causes using ({_CAUSE})"
"""The findings that are merged."""

_SINGLE: Final = f"""
    create or replace table findings as from findings anti join merged_causes using ({_CAUSE})
"""

_MERGED: Final = f"""
    insert into findings
    with examples as (
        select {_CAUSE}, arg_min(
            {{
                position: position,
                line: line,
                place: coalesce(url, 'entry ' || position),
                message: message
            }},
            {{position: position, url: url, message: message}},
            {MAX_EXAMPLES}
        ) as examples
        from occurrences group by all
    )
    select rule, severity, subject, null, sitemap, examples[1].position, examples[1].line,
        format('{{:,}}', places)
            || case subject when '{Subject.ENTRY}' then ' entries ' when '{Subject.PAGE}'
                then ' pages ' else ' URLs ' end
            || cause || ', such as ' || examples[1].place || ': ' || examples[1].message,
        to_json({{
            'count': places,
            'cause': cause,
            'examples': [
                each.place || coalesce(' (line ' || each.line || ')', '') for each in examples
            ]
        }})::varchar,
        cause, found
    from examples join merged_causes using ({_CAUSE})
"""

FOUND_RULES: Final = """
    select url, list_sort(list(distinct rule)) as rules
    from (select url, rule from findings union all select url, rule from occurrences)
    where url is not null group by url
"""
"""The rules with a finding on each URL."""


def store_occurrences(build: Build, relation: Relation) -> None:
    """Create ``occurrences``, and merge its rows in ``findings``."""
    created = build.connection.execute(relation.statement)
    if created.fetchall() != [(0,)]:
        build.connection.execute(_SINGLE)
        build.connection.execute(_MERGED)


def separate_findings(connection: duckdb.DuckDBPyConnection, run: Path) -> None:
    """Create the view ``findings`` of a run with each finding that was merged."""
    findings = f"from {parquet_rows(table_file(run, 'findings'))}"
    occurrences = table_file(run, "occurrences")
    if occurrences.exists():
        findings += f" where occurrences = 1 union all by name from {parquet_rows(occurrences)}"
    connection.execute(f"create or replace view findings as {findings}")
