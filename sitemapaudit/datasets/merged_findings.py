"""Merges findings that say one thing about many entries or pages, such as a template's fault.

The table ``findings`` keeps one of them, with a count and examples. The table ``occurrences`` keeps
each, so that no URL loses the rules that it breaks.
"""

from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import is_small, parquet_rows
from sitemapaudit.datasets.groups_of_urls import create_in_groups
from sitemapaudit.items import Subject
from sitemapaudit.runs.folders import table_file

MANY: Final = 100
"""Entries or pages with findings of one rule, cause and severity in one sitemap, not merged."""

MAX_EXAMPLES: Final = 10

NUMBER_FOUND: Final = "sum(occurrences)::bigint"
"""The number of findings, each merged one as often as it was found."""

_FAULT: Final = "rule, severity, subject, cause"
_CAUSE: Final = f"{_FAULT}, sitemap"
_PLACES: Final = f"""
    select key, count(distinct place) as places
    from (
        select hash({_CAUSE}) as key, if(position is null, hash(url), hash(position)) as place
        from findings where cause is not null and sitemap is not null
    )
    group by key
"""
"""A page or an entry can have several findings of one rule. To group texts needs more memory."""

MERGED_CAUSES: Final = f"""
    with found_causes as (
        select {_CAUSE}, count(*) as found
        from findings where cause is not null and sitemap is not null
        group by all
    ), counted as (
        select found_causes.*, places
        from found_causes join ({_PLACES}) as counts on key = hash({_CAUSE})
    ), of_a_sitemap as (
        from counted where found > {MANY} and places > {MANY}
    ), of_a_site as (
        select {_FAULT}, origin_of(sitemap) as place, list(sitemap) as sitemaps,
            sum(found)::bigint as found, sum(places)::bigint as places
        from counted anti join of_a_sitemap using ({_CAUSE})
        group by all having sum(found) > {MANY} and sum(places) > {MANY}
    )
    select {_CAUSE}, sitemap as place, 1 as files, found, places from of_a_sitemap
    union all
    select {_FAULT}, unnest(sitemaps) as sitemap, place, len(sitemaps), found, places from of_a_site
"""
"""The causes whose findings are merged: in a sitemap, or in several that have fewer each.

``place`` is that sitemap, or the origin of the sitemaps.
"""

OCCURRENCES: Final = f"from findings semi join merged_causes using ({_CAUSE})"
"""The findings that are merged."""

_SINGLE: Final = f"""
    create or replace table findings as from findings anti join merged_causes using ({_CAUSE})
"""

_MERGED: Final = f"""
    insert into findings
    with examples as (
        select {_FAULT}, place, files, found, places, arg_min(
            {{
                position: position,
                line: line,
                place: coalesce(
                    url, 'entry ' || position || if(files = 1, '', ' of ' || sitemap)
                ),
                message: message
            }},
            {{position: position, url: url, sitemap: sitemap, message: message}},
            {MAX_EXAMPLES}
        ) as examples
        from occurrences join merged_causes using ({_CAUSE})
        group by all
    )
    select rule, severity, subject, if(files = 1, null, place), if(files = 1, place, null),
        if(files = 1, examples[1].position, null), if(files = 1, examples[1].line, null),
        format('{{:,}}', places)
            || case subject when '{Subject.ENTRY}' then ' entries ' when '{Subject.PAGE}'
                then ' pages ' else ' URLs ' end
            || if(files = 1, '', format('in {{:,}} sitemaps ', files))
            || cause || ', such as ' || examples[1].place || ': ' || examples[1].message,
        to_json({{
            'count': places,
            'cause': cause,
            'examples': [
                each.place || coalesce(' (line ' || each.line || ')', '') for each in examples
            ]
        }})::varchar,
        cause, found
    from examples
"""

FOUND_RULES: Final = """
    select url, list_sort(list(distinct rule)) as rules
    from (select url, rule from findings union all select url, rule from occurrences)
    where url is not null group by url
"""
"""The rules with a finding on each URL."""


def store_found_rules(build: Build, relation: Relation) -> None:
    """Create the table ``found_rules``."""
    if is_small(build.runs, "entries"):
        build.connection.execute(relation.statement)
        return
    sources = {name: f"main.{name}" for name in ("listed", "findings", "occurrences")}
    create_in_groups(build.connection, relation.name, relation.sql, sources)


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
