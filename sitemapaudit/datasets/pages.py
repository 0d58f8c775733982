"""The ``pages`` table: what each answer says and, beside it, what a browser made of it."""

from __future__ import annotations

from sitemapaudit.datasets.schema import RENDERED, rendered_columns
from sitemapaudit.items import Role


def pages_query() -> str:
    """Return the statement that joins the ledger's pages and renderings.

    A page has the role that the entries give it, however the crawl came to it.
    """
    rendered = ", ".join(
        f"rendering.{column.name} as {RENDERED}{column.name}" for column in rendered_columns()
    )
    return f"""
        select page.* replace (
            if(page.url in (select url from listed), '{Role.LISTED}', role) as role
        ), {rendered}
        from pages_log as page
        left join (
            from renderings_log
            qualify row_number() over (
                partition by url order by (error is null) desc, ended_at desc
            ) = 1
        ) as rendering on rendering.url = page.url
    """
