"""The coverage of the link graph: the known pages whose links were read."""

from typing import Final

from sitemapaudit.datasets.links.gaps import FILES
from sitemapaudit.items import Verdict
from sitemapaudit.pages.links import NO_SOURCES
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS

_UNSEEN: Final = ", ".join(
    f"'{verdict}'"
    for verdict in (
        Verdict.BLOCKED,
        Verdict.UNREACHABLE,
        Verdict.DENIED,
        Verdict.SERVER_ERROR,
    )
)

LINK_COVERAGE: Final = f"""
    with sources as (
        select id, max(dropped) as dropped from link_sources group by id
    ), known as (
        select pages.url is null or pages.verdict in ({_UNSEEN}) as unseen,
            sources.id is not null and dropped = 0 and not truncated
                and not list_contains(truncated_columns, 'base') and (
                    words is null or words >= {LITTLE_TEXT_WORDS} or scripts = 0
                    or rendered_ended_at is not null
                ) as read,
            is_html and status between 200 and 299 and noindex is not null as linking
        from link_nodes
        left join pages using (url)
        left join sources using (id)
        where coalesce(pages.role, '') not in {tuple(map(str, NO_SOURCES))}
            and (pages.url is not null or not regexp_matches(link_nodes.url, '{FILES}', 'i'))
            and host_of(link_nodes.url) in (
                select host_of(url) from urls
                union select host_of(site) from robots where audited
            )
    )
    select count(*) filter (read) as read, count(*) as known
    from known
    where unseen or linking or read
    having count(*) > 0
"""
"""One row: the pages whose links were read, and the known pages that have or may have links.

There is none if nothing was recorded. Pages that were fetched and cannot have links, such as images
and redirects, are not counted.
"""
