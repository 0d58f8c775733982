"""What differs between the tables of two runs, as SQL over both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import duckdb

from sitemapaudit.items import Severity, Subject, Verdict

_UNKNOWN: Final = ", ".join(f"'{verdict}'" for verdict in Verdict if verdict.indexable is None)


@dataclass(slots=True)
class Difference:
    """A row for each thing that is not as it was."""

    change: Annotated[
        str,
        "`came` and `went` (URLs), `verdict` (of a URL), `new` and `mended` (findings), `unknown` "
        "(findings whose place was not looked at again)",
    ]
    url: Annotated[str | None, "the URL concerned"]
    sitemap: Annotated[str | None, "the file concerned, or that lists the URL"]
    before: Annotated[str | None, "the verdict of the earlier run"]
    after: Annotated[str | None, "the verdict of the later run"]
    rule: Annotated[str | None, "id of the rule"]
    severity: Annotated[Severity | None, "of the finding"]
    message: Annotated[str | None, "of the finding"]


_URLS: Final = f"""
    create table differing_urls as
    select if(before.url is null, 'came', if(after.url is null, 'went', 'verdict')) as change,
        coalesce(after.url, before.url) as url,
        coalesce(after.sitemaps[1], before.sitemaps[1]) as sitemap,
        before.verdict as before, after.verdict as after
    from old.urls as before
    full join new.urls as after on after.url = before.url
    where before.url is null or after.url is null
        or (before.verdict <> after.verdict
            and '{Verdict.UNCHECKED}' not in (before.verdict, after.verdict)
            and (before.url in (from old_rendered)) = (after.url in (from new_rendered)))
"""
"""A URL that one of the runs did not look at, or not in a browser, has no other verdict."""

_RENDERED: Final = """
    create table {run}_rendered as
    select url from {run}.pages where rendered_reason is not null and rendered_error is null
"""

# A finding is the same if rule and place are; where it names no URL, its sentence without its
# numbers belongs to the place.
_FINDINGS: Final = """
    create table {run}_findings as
    select rule, coalesce(url, sitemap, '') as place, if(
            url is null, regexp_replace(message, '[0-9][0-9.,:]*', '#', 'g'), ''
        ) as said,
        any_value(url) as url, min(sitemap) as sitemap, max(severity) as severity,
        min(subject) as subject, min(message) as message
    from {run}.findings
    group by rule, place, said
"""

_COMPARED: Final = f"""
    create table compared as
    select case
            when before.rule is null then 'new'
            when after.rule is not null then 'unchanged'
            when before.subject in ('{Subject.PAGE}', '{Subject.SITE}')
                and listed.verdict in ({_UNKNOWN}) then 'unknown'
            when starts_with(before.rule, 'render-')
                and before.url not in (from new_rendered) then 'unknown'
            when before.subject in ('{Subject.SITEMAP}', '{Subject.ENTRY}')
                and before.sitemap in (
                    select sitemap from new.sitemaps where error is not null or not complete
                ) then 'unknown'
            else 'mended' end as change,
        coalesce(after.url, before.url) as url,
        coalesce(after.sitemap, before.sitemap) as sitemap,
        coalesce(after.rule, before.rule) as rule,
        coalesce(after.severity, before.severity) as severity,
        coalesce(after.message, before.message) as message
    from old_findings as before
    full join new_findings as after
        on after.rule = before.rule and after.place = before.place and after.said = before.said
    left join new.urls as listed on listed.url = before.url
"""

DIFFERENCES: Final = """
    select change, url, sitemap, before, after,
        null::varchar as rule, null::varchar as severity, null::varchar as message
    from differing_urls
    union all
    select change, url, sitemap, null, null, rule, severity, message
    from compared where change <> 'unchanged'
    order by list_position(['new', 'unknown', 'mended', 'verdict', 'came', 'went'], change),
        list_position(['error', 'warning', 'notice'], severity), rule, url, sitemap
"""
"""The rows of the table ``comparison``."""


def find_differences(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the tables that tell the differences, from the schemas ``old`` and ``new``."""
    for run in ("old", "new"):
        connection.execute(_RENDERED.format(run=run))
        connection.execute(_FINDINGS.format(run=run))
    connection.execute(_URLS)
    connection.execute(_COMPARED)
