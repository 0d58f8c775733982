"""The ``pages`` table: each response and, where the browser rendered it, its rendering."""

from collections.abc import Sequence
from typing import Final

import duckdb

from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.damage import count_repeated
from sitemapaudit.datasets.database import is_small, ledger_size
from sitemapaudit.datasets.ledger_copies import warn_of_repeated
from sitemapaudit.datasets.own_columns import own_columns, select_own
from sitemapaudit.datasets.parquet import write_view, write_whole_table
from sitemapaudit.datasets.row_order import create_small_table, sorted_pages
from sitemapaudit.items import Role, Subject, Verdict
from sitemapaudit.items.schema import LEDGER_ONLY, RENDERED, Column, rendered_columns
from sitemapaudit.runs.ledger.first_pages import VERDICT_KIND, choose_first

LAST_PAGES: Final = """
    from pages_log anti join rechecks_log using (url)
    union all by name
    select * exclude (findings) from rechecks_log
"""
"""The last response of each page: of a page that was rechecked, the second one.

Several queries read it, each in a third of the time that it takes to read the ledger.
"""

_EACH_ONCE: Final = """
    create or replace table last_pages as
    from last_pages qualify row_number() over (partition by url order by rowid) = 1
"""

_FOUND: Final = f"select url from last_pages where role not in ('{Role.LISTED}', '{Role.PROBE}')"
_UNLISTED: Final = f"{_FOUND} and url not in (select url from listed)"
"""The pages that the crawl found, and that no entry lists."""

_WAYS: Final = {
    Role.REDIRECT: "select url as via, target as url from last_pages",
    Role.CANONICAL: "select url as via, canonical as url from last_pages where canonical <> url",
    Role.HREFLANG: "select owner.url as via, alternate.url as url from ("
    "select url, alternates from last_pages union all select url, alternates from entries"
    ") as owner, unnest(alternates) as alternates(alternate)",
}
"""The pages that lead to others, by the role of the target; the first role of a URL counts."""

LEADS: Final = "(url varchar, role varchar, via varchar)"
"""The page that led to each unlisted page."""

FIRST_PAGES: Final = "(url varchar)"
"""The pages whose responses are kept as evidence.

More are in the ledger: which ones depends on the order in which pages arrived.
"""

_KINDS: Final = f"""
    with recorded as (select url, {VERDICT_KIND} as kind from last_pages where len(headers) > 0)
    select kind, url from recorded where kind not like '{Verdict.INDEXABLE} %'
    union all
    select rule, url from findings_log semi join recorded using (url)
    where subject = '{Subject.PAGE}' and url not in (select url from rechecks_log)
    union all
    select unnest(findings).rule, url from rechecks_log semi join recorded using (url)
"""
"""The kinds of the pages whose responses were recorded."""

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


_LISTED_TOO: Final = f"""
    select url from listed
    where url in (select url from last_pages where role <> '{Role.LISTED}')
"""
"""The listed pages that the crawl reached in another way.

To join all listed URLs needs memory that grows with the pages and the length of their rows.
"""


def drop_repeated_pages(build: Build) -> None:
    """Keep one row of each page in ``last_pages``."""
    if repeated := count_repeated(build.connection, "last_pages", "pages"):
        build.connection.execute(_EACH_ONCE)
        warn_of_repeated(repeated, "pages")


def fill_leads(build: Build) -> None:
    """Fill the table ``leads``.

    Of several pages, the crawl came from the first to arrive. The table names the same page
    in each audit of the same site: a listed page if there is one, then the first in the order of
    roles and URLs.
    """
    if not build.connection.execute(f"{_FOUND} limit 1").fetchone():
        return
    followed = build.manifest.arguments.get("follow", "").split(",")
    ways = [
        f"select url, '{role}' as role, {order} as role_order, via from ({query})"
        for order, (role, query) in enumerate(_WAYS.items())
        if role in followed
    ]
    if ways:
        build.connection.execute(
            f"insert into leads select url, role, via from ({' union all '.join(ways)})"
            f" semi join ({_UNLISTED}) using (url) qualify row_number() over"
            " (partition by url order by via in (select url from listed) desc, role_order, via) = 1"
        )


def fill_first_pages(build: Build) -> None:
    """Fill the table ``first_pages``."""
    if pages := sorted(choose_first(build.connection.execute(_KINDS).fetchall())):
        build.connection.execute("insert into first_pages select unnest(?)", [pages])


def _query(own: Sequence[Column] = (), *, rendered: bool) -> str:
    """Return the query that joins the pages, leads and renderings, if pages were rendered.

    ``own`` are the columns of the user. A page that an entry lists has the role ``listed``, however
    the crawl reached it.
    """
    columns = ", ".join(
        f"rendering.{column.name} as {RENDERED}{column.name}" for column in rendered_columns()
    )
    reason = "coalesce(rendering.render_reason, page.render_reason)"
    return f"""
        select page.* exclude ({", ".join(LEDGER_ONLY)}) replace (
            if(listed.url is null, coalesce(leads.role, page.role), '{Role.LISTED}') as role,
            case when listed.url is null and page.role <> '{Role.PROBE}'
                then coalesce(leads.via, page.via) end as via,
            {reason if rendered else "page.render_reason"} as render_reason,
            if(first_pages.url is null, [], page.headers) as headers,
            if(first_pages.url is null, null, page.body_start) as body_start
        ){f", {columns}" if rendered else ""}{select_own(own, rendered=rendered)}
        from last_pages as page
        left join ({_LISTED_TOO}) as listed on listed.url = page.url
        left join leads on leads.url = page.url
        left join first_pages on first_pages.url = page.url
        {_JOIN_RENDERINGS if rendered else ""}
    """


PAGES: Final = _query(rendered=True)
"""Each page with its rendering."""


def page_rows(connection: duckdb.DuckDBPyConnection, own: Sequence[Column] = ()) -> tuple[str, str]:
    """Return the query for the pages, and the pattern of a query that adds columns to it.

    In most runs, the columns of renderings are null. They are half of all columns: they are added
    after the pages are sorted.
    """
    if connection.execute("select url from renderings_log limit 1").fetchone():
        return _query(own, rendered=True), "from ({})"
    return _query(own, rendered=False), f"select *, {_NOT_RENDERED} from ({{}})"


def store_pages(build: Build, _: Relation) -> None:
    """Write the pages in the order of their URLs."""
    connection = build.connection
    rows, every_column = page_rows(connection, own_columns(build.manifest, "pages"))
    if is_small(build.runs, "pages"):
        create_small_table(connection, "pages", every_column.format(rows))
        write_whole_table(build, "pages")
    else:
        in_order = sorted_pages(connection, rows, ledger_size(build.runs, "pages"))
        write_view(build, "pages", every_column.format(in_order))
    connection.execute("drop table last_pages; drop table if exists sorted_pages")
