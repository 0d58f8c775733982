"""Decides about each listed URL, as SQL over the tables.

No URL is invented: each written URL is listed, or is the target of a redirect or a
canonical that was fetched and is indexable.
"""

from typing import Final

import duckdb

from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import Permission, Severity, Verdict
from sitemapaudit.verdicts import PAGE_VERDICTS

_UNCERTAIN: Final = ", ".join(
    f"'{verdict}'" for verdict in (Verdict.UNREACHABLE, Verdict.DENIED, Verdict.SERVER_ERROR)
)
"""The verdicts that ``drop_unknown`` drops: others may see another response, or later."""

SEVERE: Final = f"('{Severity.ERROR}', '{Severity.WARNING}')"
"""The severities that count as faults, as SQL: notices do not."""

_BROKEN_ESCAPE: Final = "%([^0-9A-Fa-f]|[0-9A-Fa-f]([^0-9A-Fa-f]|$)|$)"
"""Invalid percent-encoding (RFC 3986 section 2.1): which URL is meant is unknown."""

# Faults that no sitemap can fix: of the URL itself (``own_rule``) or, with ``strict``, of its page.
_UNFIT: Final = f"""
    create table unfit as
    with severe as (
        select url, rule, subject from findings where url is not null and severity in {SEVERE}
    ), copies as (
        select url from (
            select url, min(url) over (partition by content_hash) as first
            from severe join pages using (url)
            where rule = 'duplicate-content'
        ) where url <> first
    )
    select url, min(rule) as rule, min(rule) filter (subject is distinct from 'page') as own_rule
    from (
        select url, rule, subject from severe
        where rule in ('loc-too-long', 'loc-session-id', 'page-meta-refresh')
            or ($strict and (subject = 'page' or rule in (
                'duplicate-trailing-slash', 'duplicate-host-scheme', 'hreflang-no-return',
                'hreflang-sources-conflict', 'hreflang-to-non-indexable', 'hreflang-code-invalid',
                'hreflang-duplicate-code', 'hreflang-self-missing'
            )))
        union all
        select url, 'duplicate-content', 'site' from copies where $strict
        union all
        select url, 'loc-invalid', null
        from (select url from urls union select url from pages)
        where contains(url, '%') and regexp_matches(url, '{_BROKEN_ESCAPE}')
    )
    group by url
"""

_TARGETS: Final = f"""
    create table targets as
    select url, verdict,
        verdict = '{Verdict.INDEXABLE}' and url not in (select url from unfit) as fit
    from page_verdicts
"""
"""Every page that a redirect or a canonical may point to, and whether it may be written."""

CHANGED: Final = "target is distinct from url"
"""SQL: whether a listed URL is replaced or dropped."""

# If robots.txt could not be fetched, no page of its host was fetched: then findings about pages say
# nothing about these.
_DECIDED: Final = f"""
    create table decided as
    with recursive unfetched as (
        select site from robots
        where permission in ('{Permission.NONE}', '{Permission.UNREACHABLE}')
    ), shown as (
        select url, verdict as sent, rendered_final_url, rendered_canonical
        from pages where rendered_verdict <> verdict
    ), hop as (
        select distinct canonical as start, canonical as here, 0 as hops
        from urls where verdict = '{Verdict.CANONICALIZED}' and canonical is not null
        union all
        select start, pages.target, hops + 1
        from hop join pages on pages.url = hop.here
        where pages.target is not null and hops < {MAX_HOPS}
    ), ends as (
        select start, arg_max(here, hops) as final_canonical from hop group by start
    ), pointing as (
        select urls.url, verdict, skip_reason, verdict = '{Verdict.UNCHECKED}' or (
                verdict in ('{Verdict.BLOCKED}', '{Verdict.UNREACHABLE}')
                    and origin_of(url) in (from unfetched)
            ) as unchecked,
            case
                when verdict = '{Verdict.REDIRECTED}' and sent <> verdict
                then nullif(rendered_final_url, url)
                when verdict = '{Verdict.REDIRECTED}'
                then if(redirect_loop or hops not between 1 and {MAX_HOPS - 1}, null, final_url)
                when verdict = '{Verdict.CANONICALIZED}'
                then nullif(if(sent <> verdict, rendered_canonical, final_canonical), url)
            end as points_to,
            coalesce(
                verdict = '{Verdict.CANONICALIZED}' and final_canonical = urls.url
                    and sent is null, false
            ) as is_own_canonical
        from urls left join shown using (url) left join ends on start = canonical
    ), resolved as (
        select pointing.*, if(unchecked, own_rule, rule) as unfit,
            coalesce(targets.fit, false) as target_fit,
            points_to is not null and coalesce(targets.verdict, '{Verdict.UNCHECKED}')
                = '{Verdict.UNCHECKED}' as target_unchecked,
            coalesce(targets.verdict, pointing.verdict) as last_verdict
        from pointing
        left join targets on targets.url = points_to
        left join unfit on unfit.url = pointing.url
    )
    select url, verdict, last_verdict, skip_reason, unfit, points_to, is_own_canonical,
        unchecked or target_unchecked as unchecked,
        case
            when unfit is not null
                and (unchecked or is_own_canonical or verdict = '{Verdict.INDEXABLE}') then null
            when verdict = '{Verdict.INDEXABLE}' or unchecked or target_unchecked then url
            when is_own_canonical then url
            when target_fit then points_to
            when not $drop_unknown and last_verdict in ({_UNCERTAIN}) then url
        end as target
    from resolved
    where not $only_changed or {CHANGED}
"""
"""The URL to write for each listed one; null to drop it.

A URL that was not checked, or that points to such a URL, stays as listed. So does a failed URL, and
one whose canonical redirects back to it.
"""


def decide(
    connection: duckdb.DuckDBPyConnection,
    *,
    drop_unknown: bool,
    strict: bool,
    only_changed: bool = False,
) -> None:
    """Create the table ``decided``; with ``only_changed``, without unchanged URLs.

    ``drop_unknown`` drops URLs that returned a server error, denied access or did not respond;
    without it they are kept. ``strict`` also drops URLs with errors or warnings about their
    pages.
    """
    connection.execute(_UNFIT, {"strict": strict})
    connection.execute(PAGE_VERDICTS)
    connection.execute(_TARGETS)
    options = {"drop_unknown": drop_unknown, "only_changed": only_changed}
    connection.execute(_DECIDED, options)
