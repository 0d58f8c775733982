"""The state of each page of a site: its links were read, or why they are unknown.

This is the one place that decides it. Gaps and coverage only count the pages.
"""

from typing import Final, NamedTuple

from sitemapaudit.items import SkipReason, Verdict
from sitemapaudit.pages.links import NO_SOURCES
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS
from sitemapaudit.urls.template import SAMPLED

_FILE: Final = (
    r"^[^?]*\.(avif|bmp|css|csv|docx?|eot|epub|gif|gz|ico|ics|jpe?g|js|json|md|mjs|mov"
    r"|mp[34]|ogg|pdf|png|pptx?|rar|rst|rtf|svg|tar|tgz|tiff?|ttf|txt|vcf|wasm|wav|webm|webp|woff2?"
    r"|xlsx?|zip)$"
)
_NAMESPACE: Final = "(:|%3A)[^/]*$"
"""A pattern of the addresses of wiki pages such as ``File:x.jpg``."""

_IS_FILE: Final = f"""(
    regexp_matches(addresses.url, '{_FILE}', 'i')
    and not regexp_matches(addresses.url, '{_NAMESPACE}', 'i')
    and lower(regexp_extract(addresses.url, '[.]([a-zA-Z0-9]+)$', 1))
        not in (from pages_as_files)
)"""
"""SQL: whether a URL is that of a file, which has no links: not to fetch it leaves no gap.

It is not, if the site has an HTML page with the same extension.
"""


class State(NamedTuple):
    """A reason why the links of a page are unknown, if the condition in SQL is true.

    The first reason that applies counts. Reasons are reported in the order of their ``place``.
    """

    place: int
    reason: str
    condition: str


_SKIPPED: Final = {
    SkipReason.PAGES: "listed pages skipped by pages",
    SkipReason.SAMPLE: "listed pages outside of the sample",
    SkipReason.INCLUDE: "listed pages skipped by include",
    SkipReason.EXCLUDE: "listed pages skipped by exclude",
    SkipReason.SINCE: "listed pages skipped by since",
    SkipReason.SHARD: "listed pages of other shards",
    SkipReason.LIMIT: "listed pages skipped by AUDIT_MAX_URLS",
    SkipReason.HOSTS: "listed pages skipped by AUDIT_MAX_HOSTS",
}

_FAILED: Final = {
    Verdict.BLOCKED: "pages blocked by robots.txt",
    Verdict.UNREACHABLE: "pages without a usable response",
    Verdict.DENIED: "pages to which access is denied",
    Verdict.SERVER_ERROR: "pages with a server error",
    # Firewalls send some of these statuses to crawlers alone.
    Verdict.CLIENT_ERROR: "pages with a client error other than 404 and 410",
    Verdict.UNCHECKED: "pages that could not be read",
}

_RENDERED: Final = (
    "coalesce(rendered_verdict is not null and rendered_idle and rendered_failed_requests = 0"
    " and len(rendered_blocked) = 0, false)"
)
"""SQL: whether the browser ran all scripts of a page to their end."""

_WITHOUT_PAGE: Final = (
    *(State(1, text, f"skip_reason = '{reason}'") for reason, text in _SKIPPED.items()),
    State(2, "listed pages not fetched", "is_listed"),
    State(2, "home pages not fetched", "is_home"),
    State(10, "URLs that only nofollow links lead to", "nofollow"),
    State(9, "linked URLs not fetched", "is_crawled"),
    State(9, "linked URLs on hosts that are not crawled", "is_own"),
    State(9, "redirects to URLs that were not fetched", "true"),
)

_WITH_PAGE: Final = (
    *(State(3, text, f"verdict = '{verdict}'") for verdict, text in _FAILED.items()),
    State(3, "redirects without a usable target", "is_redirect and target is null"),
    State(4, "pages read in part", "truncated or list_contains(truncated_columns, 'base')"),
    State(5, "pages with links or buttons of unknown target", "is_capped"),
    State(6, "pages whose links are lost", "is_linking and not is_recorded"),
    State(
        7,
        "pages made by scripts that were not rendered",
        f"words < {LITTLE_TEXT_WORDS} and scripts > 0 and rendered_ended_at is null",
    ),
    State(
        8,
        "pages that run scripts and were not rendered",
        "scripts > 0 and rendered_ended_at is null and not is_sampled",
    ),
    State(
        8,
        "pages that the browser could not render as a whole",
        f"scripts > 0 and rendered_ended_at is not null and not {_RENDERED}",
    ),
)


_OF_RESPONSES: Final = "3, 9"
"""The places of the reasons for which it is unknown where a URL leads."""


def _case(states: tuple[State, ...]) -> str:
    rows = " ".join(
        f"when {state.condition} then row({state.place}, '{state.reason}')" for state in states
    )
    return f"case {rows} end"


LINK_PAGES: Final = f"""
    with entrances as (
        select id, inlinks_follow = 0 as nofollow from inlinks
        union all
        select id, false from link_nodes semi join homes using (url)
    ), linked as (
        select id, bool_and(nofollow) as nofollow, bool_or(redirected) as is_reached
        from (
            select id, nofollow, false as redirected from entrances
            union all
            select moves.reached, false, true from moves semi join entrances using (id)
        )
        group by id
    ), sources as (
        select id, bool_or(not rendered) as is_recorded, max(dropped) > 0 as is_capped
        from link_sources group by id
    ), fetched as (
        select url, verdict, status, target, redirect_kind, truncated, truncated_columns, is_html,
            noindex, words, scripts, rendered_ended_at, rendered_verdict, rendered_idle,
            rendered_failed_requests, rendered_blocked, rendered_links_added
        from pages where role not in {tuple(map(str, NO_SOURCES))}
    ), listed_urls as (
        select url, skip_reason from urls
    ), listed_hosts as (
        select distinct host_of(url) as host from urls
    ), sampled as (
        select template_of(url) as template, scripts
        from fetched
        left join link_nodes using (url)
        left join sources using (id)
        where scripts > 0 and rendered_ended_at is not null
        group by all
        having count(*) >= {SAMPLED} and bool_and(
            {_RENDERED} and coalesce(rendered_links_added, 0) = 0 and not coalesce(is_capped, false)
        )
    ), pages_as_files as (
        select distinct lower(regexp_extract(url, '[.]([a-zA-Z0-9]+)$', 1)) as extension
        from fetched where is_html
    ), addresses as (
        select url, host_of(url) as host
        from (
            select url from fetched
            union select url from listed_urls
            union select url from linked join link_nodes using (id)
            union from homes where host_of(url) in (from listed_hosts)
        )
    ), states as (
        select addresses.url, fetched.url is not null as is_fetched,
            nofollow, coalesce(is_reached, false) as is_reached, skip_reason,
            listed_urls.url is not null as is_listed, homes.url is not null as is_home,
            host in (from site_hosts) as is_own,
            host in (from listed_hosts union select host_of(url) from homes) as is_crawled,
            fetched.verdict, fetched.target, fetched.truncated, fetched.truncated_columns,
            fetched.redirect_kind is not null or fetched.status between 300 and 399 as is_redirect,
            coalesce(
                fetched.is_html and fetched.status between 200 and 299
                    and fetched.noindex is not null, false
            ) as is_linking,
            coalesce(is_recorded, false) as is_recorded, coalesce(is_capped, false) as is_capped,
            fetched.words, fetched.scripts, sampled.scripts is not null as is_sampled,
            rendered_ended_at, rendered_verdict, rendered_idle, rendered_failed_requests,
            rendered_blocked,
            case
                when fetched.url is null and listed_urls.url is null and homes.url is null
                then {_IS_FILE} else false
            end as is_file
        from addresses
        left join fetched using (url)
        left join listed_urls using (url)
        left join homes using (url)
        left join link_nodes using (url)
        left join linked using (id)
        left join sources using (id)
        left join sampled on sampled.scripts = fetched.scripts
            and sampled.template = case when exists (from sampled) then template_of(fetched.url) end
    ), decided as (
        select url, is_fetched, is_own, is_linking,
            if(is_fetched, {_case(_WITH_PAGE)}, {_case(_WITHOUT_PAGE)}) as state
        from states
        where (is_own or is_reached) and not is_file
    )
    select url, state[1] as place, state[2] as reason
    from decided
    where if(is_own, state is not null or is_linking, state[1] in ({_OF_RESPONSES}))
"""
"""The pages that have or may have links, with the reason if their links are unknown.

A page of another site matters if links of this one redirect to it: it may redirect back.
"""
