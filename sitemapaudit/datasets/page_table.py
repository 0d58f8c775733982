"""The ``pages`` table: each response and, where the browser rendered it, its rendering."""

from __future__ import annotations

from sitemapaudit.items import Role
from sitemapaudit.items.schema import RENDERED, rendered_columns


def pages_query() -> str:
    """Return the query that joins the pages and renderings of the ledger.

    A page that an entry lists has the role ``listed``, however the crawl reached it.
    """
    rendered = ", ".join(
        f"rendering.{column.name} as {RENDERED}{column.name}" for column in rendered_columns()
    )
    return f"""
        select page.* replace (
            if(page.url in (select url from listed), '{Role.LISTED}', role) as role,
            coalesce(rendering.render_reason, page.render_reason) as render_reason
        ), {rendered}
        from pages_log as page
        left join (
            from renderings_log
            qualify row_number() over (
                partition by url order by (error is null) desc, ended_at desc
            ) = 1
        ) as rendering on rendering.url = page.url
    """
