"""The differences between the tables of two runs, as SQL over both."""

from dataclasses import dataclass
from typing import Annotated, Final

import duckdb

from sitemapaudit import verdicts
from sitemapaudit.comparison.contents import create_moved
from sitemapaudit.items import Severity, Subject, Verdict


@dataclass(slots=True)
class Difference:
    """A row per difference between two runs."""

    change: Annotated[
        str,
        "`added`, `removed` (URLs), `moved` (added with the main text of a URL that is gone), "
        "`verdict-changed` (of a URL), `new`, `fixed` (findings; those of rules that compare runs "
        "are always `new`), `not-checked-before` (findings whose place or rule the earlier run did "
        "not check, or whose rule had other options), `unknown` (findings whose place or rule was "
        "not checked again, or whose rule has other options)",
    ]
    url: Annotated[str | None, "the URL concerned"]
    previous_url: Annotated[str | None, "of `moved`: the address in the earlier run"]
    sitemap: Annotated[str | None, "the sitemap concerned, or the sitemap that lists the URL"]
    position: Annotated[int | None, "of the finding: position of the entry in the sitemap"]
    line: Annotated[int | None, "of the finding: line where that entry begins"]
    before: Annotated[str | None, "the verdict in the earlier run"]
    after: Annotated[str | None, "the verdict in the later run"]
    rule: Annotated[str | None, "id of the rule"]
    severity: Annotated[Severity | None, "of the finding"]
    message: Annotated[str | None, "of the finding"]
    evidence: Annotated[
        str | None, "for findings of rules that compare runs: the values behind it, as JSON"
    ]


NEW, FIXED, UNCHANGED = "new", "fixed", "unchanged"
NOT_BEFORE, NOT_AGAIN = "not-checked-before", "unknown"

FINDINGS: Final = (NEW, FIXED, NOT_BEFORE, NOT_AGAIN)
"""The changes of findings other than ``unchanged``."""

_URLS: Final = f"""
    create table differing_urls as
    select case when before.url is null then 'added' when after.url is null then 'removed'
            else 'verdict-changed' end as change,
        coalesce(after.url, before.url) as url, null as previous_url,
        coalesce(after.sitemaps[1], before.sitemaps[1]) as sitemap,
        before.verdict as before, after.verdict as after
    from old.urls as before
    full join new.urls as after on after.url = before.url
    where if(
            before.url is null,
            after.url in (from old_unlisted) and after.url not in (select url from moved),
            after.url is null and before.url in (from new_unlisted)
                and before.url not in (select previous_url from moved)
        )
        or (before.verdict <> after.verdict
            and '{Verdict.UNCHECKED}' not in (before.verdict, after.verdict)
            and (before.url in (from old_rendered)) = (after.url in (from new_rendered)))
    union all
    select 'moved', url, previous_url, after.sitemaps[1], before.verdict, after.verdict
    from moved join new.urls as after using (url)
    join old.urls as before on before.url = previous_url
"""
"""A URL that only one run lists differs if the other one read all sitemaps that could list it.

The verdict of a URL that only one run checked, or rendered, counts as unchanged.
"""

_RENDERED: Final = """
    create table {run}_rendered as
    select url from {run}.pages where rendered_ended_at is not null and rendered_error is null
"""

_MERGED: Final = """
    create table merged as
    select rule, coalesce(sitemap, url) as place, cause from old.findings where occurrences > 1
    union
    select rule, coalesce(sitemap, url), cause from new.findings where occurrences > 1
"""
"""The causes with a merged finding in one of the runs: each is one finding in both runs."""

_ON_PAGES: Final = f"subject in ('{Subject.PAGE}', '{Subject.SITE}')"

_UNCHECKED: Final = f"""
    create table {{run}}_unchecked as
    select rule, place, cause
    from (
        select occurrence.rule, occurrence.cause,
            unnest([occurrence.sitemap, origin_of(occurrence.sitemap)]) as place,
            coalesce(urls.verdict in ({verdicts.UNKNOWN}), url in (from {{run}}_unsure))
                as is_unknown
        from {{other}}.occurrences as occurrence left join {{run}}.urls using (url)
        where occurrence.{_ON_PAGES}
    )
    group by all
    having bool_{{enough}}(is_unknown)
"""
"""The causes of merged findings with pages that a run did not check: only such pages, or any."""

# Findings are the same if their rules and places are; the line does not matter. Without a URL, the
# message without numbers is part of the place; for merged findings, the cause. Millions of findings
# are compared by keys, and only those that differ are read completely. The table of findings begins
# with the most severe.
_KEYS: Final = """
    create table {run}_keys as
    select key, min(row) as row, any_value(rule) as rule, arg_min(severity, row) as severity
    from (
        select md5_number(rule || e'\\n' || case
                when (rule, origin_of(coalesce(sitemap, url)), cause) in (from merged)
                    then origin_of(coalesce(sitemap, url)) || e'\\n' || cause
                when (rule, sitemap, cause) in (from merged) then sitemap || e'\\n' || cause
                else coalesce(url, sitemap, '') || e'\\n' || if(
                    url is null, without_numbers(message), ''
                )
            end) as key,
            file_row_number as row, rule, severity
        from {run}.findings
    )
    group by key
"""

_COMPARED: Final = f"""
    create table compared as
    select case when before.key is null then '{NEW}' when after.key is null then '{FIXED}'
            else '{UNCHANGED}' end as change,
        coalesce(after.row, before.row) as row, coalesce(after.rule, before.rule) as rule,
        coalesce(after.severity, before.severity) as severity
    from old_keys as before
    full join new_keys as after using (key)
"""

_RATE: Final = "sitemap-dirt-rate"
_MIN_KNOWN: Final = 100
"""The rule about a rate of each origin, and the number of known URLs that it needs."""

_OTHERS_UNCHECKED: Final = f"""
    create table {{run}}_others_unchecked as
    select distinct row
    from (
        select file_row_number as row,
            unnest(regexp_extract_all(evidence, 'https?://[^"]+')) as url
        from {{other}}.findings
        where {_ON_PAGES}
            and file_row_number in (select row from compared where change = '{{known}}')
    ) semi join (
        select url from {{run}}.urls where verdict in ({verdicts.UNKNOWN})
        union all from {{run}}_unsure
    ) using (url)
"""
"""The findings whose evidence names a URL that a run did not check, such as that of a duplicate."""

_UNKNOWN: Final = f"""
    finding.rule not in (from {{run}}_rules)
    or (finding.{_ON_PAGES}
        and (listed.verdict in ({verdicts.UNKNOWN}) or finding.url in (from {{run}}_unsure)))
    or (finding.rule, coalesce(finding.sitemap, finding.url), finding.cause)
        in (from {{run}}_unchecked)
    or finding.file_row_number in (from {{run}}_others_unchecked)
    or (finding.rule = '{_RATE}' and finding.url not in (
        select origin_of(url) from {{run}}.urls group by all having count(indexable) >= {_MIN_KNOWN}
    ))
    or (starts_with(finding.rule, 'render-') and finding.url not in (from {{run}}_rendered))
    or (finding.subject in ('{Subject.SITEMAP}', '{Subject.ENTRY}')
        and coalesce(finding.sitemap, finding.url) in (
            select unnest([sitemap, origin_of(sitemap)]) from {{run}}_unread
        ))
"""
"""True if a run, which lacks a finding of the other, did not check its rule or its place."""

_DIFFERING: Final = f"""
    select if(coalesce({_UNKNOWN}, false), '{{unknown}}', '{{known}}') as change,
        finding.url, finding.sitemap, finding.position, finding.line, finding.rule,
        finding.severity, finding.message, null as evidence
    from {{other}}.findings as finding
    join (select row from compared where change = '{{known}}') as differing
        on differing.row = finding.file_row_number
    left join {{run}}.urls as listed on listed.url = finding.url
"""

_EACH: Final = """
    create table {run}_each as
    select rule, severity, subject, url, sitemap, message, cause,
        if(
            (rule, origin_of(coalesce(sitemap, url)), cause) in (from merged),
            origin_of(coalesce(sitemap, url)), sitemap
        ) as place
    from (
        select rule, severity, subject, url, sitemap, message, cause from {run}.occurrences
        union all
        select rule, severity, subject, url, sitemap, message, cause
        from {run}.findings where occurrences = 1
    )
    where url is not null and (rule, place, cause) in (from merged)
"""
"""Each finding of the causes that are merged in one of the runs."""

_SPREAD: Final = f"""
    select '{{known}}' as change, min(finding.url) as url, min(finding.sitemap) as sitemap,
        null as position, null as line, finding.rule, finding.severity,
        arg_min(finding.message, finding.url)
            || if(
                count(distinct finding.url) > 1,
                ' (and ' || count_noun(count(distinct finding.url) - 1, 'more URL') || ')', ''
            ) as message,
        null as evidence
    from {{other}}_each as finding
    anti join (
        select rule, url from {{run}}_each union all select rule, url from {{run}}.findings
    ) as same on same.rule = finding.rule and same.url = finding.url
    join {{run}}.urls as listed on listed.url = finding.url
    where (finding.rule, finding.place, finding.cause)
            in (select rule, place, cause from {{run}}_each)
        and finding.rule in (from {{run}}_rules)
        and not coalesce(
            finding.{_ON_PAGES}
                and (listed.verdict in ({verdicts.UNKNOWN}) or finding.url in (from {{run}}_unsure))
            or starts_with(finding.rule, 'render-') and finding.url not in (from {{run}}_rendered)
            or finding.subject in ('{Subject.SITEMAP}', '{Subject.ENTRY}')
                and coalesce(finding.sitemap, finding.url) in (
                    select unnest([sitemap, origin_of(sitemap)]) from {{run}}_unread
                ),
            false
        )
    group by finding.rule, finding.severity, finding.place, finding.cause
"""
"""The causes that both runs found, with the URLs that both list and only one run found.

A URL that is listed for the first time, with a known cause, changes nothing.
"""

_FINDINGS: Final = f"""
    create table differing_findings as
    {_DIFFERING.format(run="old", other="new", known=NEW, unknown=NOT_BEFORE)}
    union all
    {_DIFFERING.format(run="new", other="old", known=FIXED, unknown=NOT_AGAIN)}
    union all
    {_SPREAD.format(run="old", other="new", known=NEW)}
    union all
    {_SPREAD.format(run="new", other="old", known=FIXED)}
    union all
    select '{NEW}', url, sitemap, position, line, rule, severity, message, evidence from findings
"""

COUNTS: Final = f"""
    select rule, severity, change, count(*) as number
    from (
        select rule, severity, change from compared where change = '{UNCHANGED}'
        union all
        select rule, severity, change from differing_findings
    )
    group by all order by number desc, rule
"""
"""The number of findings of each rule, severity and change."""

DIFFERENCES: Final = """
    select change, url, previous_url, sitemap, null::bigint as position, null::bigint as line,
        before, after,
        null::varchar as rule, null::varchar as severity, null::varchar as message,
        null::varchar as evidence
    from differing_urls
    union all
    select change, url, null, sitemap, position, line, null, null, rule, severity, message, evidence
    from differing_findings
    order by list_position(
            ['new', 'not-checked-before', 'unknown', 'fixed', 'verdict-changed', 'moved', 'added',
                'removed'], change
        ), severity_order(severity), rule, url, sitemap, position, message
"""
"""The rows of the table ``comparison``."""


def create_differences(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of differences from the schemas ``old`` and ``new``.

    Their tables also have the column ``file_row_number``. The table ``findings`` contains the
    findings of rules that compare runs, ``old_rules`` and ``new_rules`` the rules of each run
    that are comparable with the other.
    """
    create_moved(connection)
    connection.execute(_MERGED)
    for run, other, enough in (("old", "new", "and"), ("new", "old", "or")):
        connection.execute(_UNCHECKED.format(run=run, other=other, enough=enough))
        connection.execute(_RENDERED.format(run=run))
        connection.execute(_KEYS.format(run=run))
        connection.execute(_EACH.format(run=run))
    connection.execute(_URLS)
    connection.execute(_COMPARED)
    for run, other, known in (("old", "new", NEW), ("new", "old", FIXED)):
        connection.execute(_OTHERS_UNCHECKED.format(run=run, other=other, known=known))
    connection.execute(_FINDINGS)
