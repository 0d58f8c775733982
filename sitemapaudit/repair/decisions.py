"""What becomes of every listed URL: SQL over the tables.

Nothing is invented: what is written stood in an entry or is the target of a
redirect or canonical that was asked for and can be indexed.
"""

from __future__ import annotations

from typing import Final

import duckdb

from sitemapaudit.datasets.urls import MAX_HOPS
from sitemapaudit.items import Permission, Severity, Verdict

_UNKNOWN: Final = ", ".join(
    f"'{verdict}'" for verdict in (Verdict.UNREACHABLE, Verdict.DENIED, Verdict.SERVER_ERROR)
)
GRAVE: Final = f"('{Severity.ERROR}', '{Severity.WARNING}')"
"""The severities of faults, as SQL: a notice is none."""

# Faults that no sitemap can mend: of the address itself, or of the page, as ``strict`` wants it.
_UNFIT: Final = f"""
    create table unfit as
    with told as (
        select url, rule, subject from findings where url is not null and severity in {GRAVE}
    ), copies as (
        select url from (
            select url, min(url) over (partition by content_hash) as first
            from told join pages using (url)
            where rule = 'duplicate-content'
        ) where url <> first
    )
    select url, min(rule) as rule
    from (
        select url, rule from told
        where rule in ('loc-too-long', 'loc-session-id', 'page-meta-refresh')
            or ($strict and (subject = 'page' or rule in (
                'duplicate-trailing-slash', 'duplicate-host-scheme', 'hreflang-no-return',
                'hreflang-sources-conflict', 'hreflang-to-non-indexable', 'hreflang-code-invalid',
                'hreflang-duplicate-code', 'hreflang-self-missing'
            )))
        union all
        select url, 'duplicate-content' from copies where $strict
    )
    group by url
"""

_ANSWERS: Final = f"""
    create table answers as
    select url, verdict, verdict = '{Verdict.INDEXABLE}'
        and url not in (select url from urls where verdict = '{Verdict.SOFT_404}')
        and url not in (select url from unfit) as indexable
    from (select url, judged(verdict, rendered_verdict) as verdict from pages)
"""

# Where robots.txt could not be had, no page of the host was asked for.
_DECIDED: Final = f"""
    create table decided as
    with unasked as (
        select site from robots
        where permission in ('{Permission.NONE}', '{Permission.UNREACHABLE}')
    ), aimed as (
        select url, verdict, left_out, verdict = '{Verdict.UNCHECKED}' or (
                verdict in ('{Verdict.BLOCKED}', '{Verdict.UNREACHABLE}')
                    and origin_of(url) in (from unasked)
            ) as unchecked,
            case verdict
                when '{Verdict.REDIRECTED}' then
                    if(loop or hops not between 1 and {MAX_HOPS - 1}, null, final_url)
                when '{Verdict.CANONICALIZED}' then nullif(canonical, url)
            end as leads_to
        from urls
    ), known as (
        select aimed.*, unfit.rule as unfit,
            coalesce(there.indexable, false) as fit_there,
            leads_to is not null and coalesce(there.verdict, '{Verdict.UNCHECKED}')
                = '{Verdict.UNCHECKED}' as unchecked_there,
            coalesce(there.verdict, aimed.verdict) as last_verdict
        from aimed
        left join answers as there on there.url = leads_to
        left join unfit on unfit.url = aimed.url
    )
    select url, verdict, left_out, unfit, leads_to, unchecked or unchecked_there as unchecked, case
            when unfit is not null and (unchecked or verdict = '{Verdict.INDEXABLE}') then null
            when verdict = '{Verdict.INDEXABLE}' or unchecked or unchecked_there then url
            when fit_there then leads_to
            when $keep_unknown and last_verdict in ({_UNKNOWN}) then url
        end as target
    from known
"""
"""The address that is to stand in the place of each listed one; null if none is.

What nobody looked at stays as it is listed, and so does what leads there: only what is known
to be wrong may go.
"""


def decide(connection: duckdb.DuckDBPyConnection, *, keep_unknown: bool, strict: bool) -> None:
    """Make the table ``decided``.

    ``keep_unknown`` keeps URLs that answered with a server error, denied the
    auditor or did not answer; else they are dropped. ``strict`` drops those too
    whose pages have faults that are errors or warnings.
    """
    connection.execute(_UNFIT, {"strict": strict})
    connection.execute(_ANSWERS)
    connection.execute(_DECIDED, {"keep_unknown": keep_unknown})
