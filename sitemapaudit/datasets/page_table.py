"""The ``pages`` table: each response and, where the browser rendered it, its rendering."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

import duckdb

from sitemapaudit.datasets.damage import count_repeated
from sitemapaudit.items import Role
from sitemapaudit.items.schema import RENDERED, rendered_columns

LAST_PAGES: Final = """
    create table last_pages as
    from pages_log anti join rechecks_log using (url)
    union all by name
    select * exclude (findings) from rechecks_log
"""
"""The last response of each page: of a page that was rechecked, the second one."""

_EACH_ONCE: Final = """
    create or replace table last_pages as
    from last_pages qualify row_number() over (partition by url order by rowid) = 1
"""

_FOUND: Final = f"select url from last_pages where role not in ('{Role.LISTED}', '{Role.PROBE}')"
_UNLISTED: Final = f"""
    create table unlisted as {_FOUND} and url not in (select url from listed)
"""
"""The pages that the crawl found, and that no entry lists."""

_WAYS: Final = {
    Role.REDIRECT: "select url as via, target as url from last_pages",
    Role.CANONICAL: "select url as via, canonical as url from last_pages where canonical <> url",
    Role.HREFLANG: "select last_pages.url as via, alternate.url as url"
    " from last_pages, unnest(alternates) as alternates(alternate)",
}
"""Which page leads where, by the role of what it leads to; the first role of a URL counts."""


LEADS: Final = "create table leads (url varchar, role varchar, via varchar)"
"""What led to each page that no entry lists."""

_JOIN_RENDERINGS: Final = """
    left join (
        from renderings_log
        qualify row_number() over (
            partition by url order by (error is null) desc, ended_at desc
        ) = 1
    ) as rendering on rendering.url = page.url
"""
"""Of several renderings of a page, the last one without an error counts."""


_NOT_RENDERED: Final = ", ".join(
    f"null::{column.type} as {RENDERED}{column.name}" for column in rendered_columns()
)


def create_last_pages(connection: duckdb.DuckDBPyConnection) -> int:
    """Create the table ``last_pages``; return how many rows the ledger has twice.

    Several queries read it, each in a third of the time that it takes to read the ledger.
    """
    connection.execute(LAST_PAGES)
    repeated = count_repeated(connection, "last_pages", "pages")
    if repeated:
        connection.execute(_EACH_ONCE)
    return repeated


def create_leads(connection: duckdb.DuckDBPyConnection, followed: Container[str]) -> None:
    """Create the table ``leads``; ``followed`` has the roles that the run followed.

    Of several pages, the crawl came from the one that arrived first. The table names the same one
    in each audit of the same site: a listed page if there is one, then the first in the order of
    roles and URLs.
    """
    connection.execute(LEADS)
    if connection.execute(f"{_FOUND} limit 1").fetchone():
        connection.execute(_UNLISTED)
        _fill_leads(connection, followed)


def _fill_leads(connection: duckdb.DuckDBPyConnection, followed: Container[str]) -> None:
    ways = [
        f"select url, '{role}' as role, {order} as role_order, via from ({query})"
        for order, (role, query) in enumerate(_WAYS.items())
        if role in followed
    ]
    if ways:
        connection.execute(
            f"insert into leads select url, role, via from ({' union all '.join(ways)})"
            " semi join unlisted using (url) qualify row_number() over"
            " (partition by url order by via in (select url from listed) desc, role_order, via) = 1"
        )


def was_rendered(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the browser opened any page."""
    return bool(connection.execute("select url from renderings_log limit 1").fetchone())


def pages_query(*, rendered: bool = True) -> str:
    """Return the query that joins the pages, leads and renderings.

    A page that an entry lists has the role ``listed``, however the crawl reached it. Where nothing
    was ``rendered``, which is usual, ``with_all_columns`` adds the columns of renderings.
    """
    columns = ", ".join(
        f"rendering.{column.name} as {RENDERED}{column.name}" for column in rendered_columns()
    )
    reason = "coalesce(rendering.render_reason, page.render_reason)"
    return f"""
        select page.* replace (
            if(listed.url is null, coalesce(leads.role, page.role), '{Role.LISTED}') as role,
            case when listed.url is null and page.role <> '{Role.PROBE}'
                then coalesce(leads.via, page.via) end as via,
            {reason if rendered else "page.render_reason"} as render_reason
        ){f", {columns}" if rendered else ""}
        from last_pages as page
        left join listed on listed.url = page.url
        left join leads on leads.url = page.url
        {_JOIN_RENDERINGS if rendered else ""}
    """


def with_all_columns(pages: str, *, rendered: bool) -> str:
    """Return a query for pages with the columns of renderings, which are null for most runs.

    They are half of all columns: the pages are sorted before.
    """
    return pages if rendered else f"select *, {_NOT_RENDERED} from ({pages})"
