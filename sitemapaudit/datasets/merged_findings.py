"""Merges findings that say one thing about many entries of a sitemap, such as a template's fault.

The table ``findings`` keeps one of them, with a count and examples. The table ``occurrences`` keeps
each, so that no URL loses the rules that it breaks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import duckdb

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

OCCURRENCES: Final = f"""
    create table occurrences as
    from findings
    semi join (
        select {_CAUSE} from findings
        where cause is not null and sitemap is not null
        group by all having count(*) > {MANY} and {_PLACES} > {MANY}
    ) using ({_CAUSE})
"""
"""The findings to merge."""

_FEW: Final = f"select count(*) <= {MANY} from findings where cause is not null"

_SINGLE: Final = f"""
    create or replace table findings as
    from findings anti join (select distinct {_CAUSE} from occurrences) using ({_CAUSE})
"""

_MERGED: Final = f"""
    insert into findings
    with counted as (
        select {_CAUSE}, count(*) as found, {_PLACES} as places from occurrences group by {_CAUSE}
    ), ranked as (
        select *, row_number() over cause_in_order as rank,
            coalesce(url, 'entry ' || position) as place
        from occurrences join counted using ({_CAUSE})
        window cause_in_order as (partition by {_CAUSE} order by position, url, message)
    )
    select rule, severity, subject, null, sitemap, arg_min(position, rank), arg_min(line, rank),
        format('{{:,}}', any_value(places))
            || case subject when '{Subject.ENTRY}' then ' entries ' when '{Subject.PAGE}'
                then ' pages ' else ' URLs ' end
            || cause || ', such as ' || arg_min(place || ': ' || message, rank),
        to_json({{
            'count': any_value(places),
            'cause': cause,
            'examples': list(
                place || coalesce(' (line ' || line || ')', '') order by rank
            )
        }})::varchar,
        cause, any_value(found)
    from ranked where rank <= {MAX_EXAMPLES}
    group by {_CAUSE}
"""


def merge_findings(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table ``occurrences``, and merge its rows in the table ``findings``."""
    if connection.execute(_FEW).fetchall() == [(True,)]:
        connection.execute("create table occurrences as from findings limit 0")
        return
    connection.execute(OCCURRENCES)
    if connection.execute("from occurrences limit 1").fetchone():
        connection.execute(_SINGLE)
        connection.execute(_MERGED)


def separate_findings(connection: duckdb.DuckDBPyConnection, run: Path) -> None:
    """Create the view ``findings`` of a run with each finding that was merged."""
    if table_file(run, "occurrences").exists():
        findings, occurrences = (
            parquet_rows(table_file(run, table)) for table in ("findings", "occurrences")
        )
        connection.execute(
            f"create or replace view findings as from {findings} where occurrences = 1"
            f" union all by name from {occurrences}"
        )
