from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT, GOOGLE_REDIRECTS


class RenderJsRedirect(Query):
    """Scripts send a listed page to another address

    When: the page was opened in a browser, and its address at the end is not its own, a fragment
    apart: by another document, or by `history`. If it was another document, the verdict is
    redirected. Nothing is said of what a meta refresh or a Refresh header does:
    page-meta-refresh tells that.

    Why: Engines see it when they have rendered the page, if ever; other crawlers never do.

    Fix: Answer 301, and list the target.
    """

    severity = Severity.WARNING
    message = "scripts send it to {target} (by {way}, status {status})"
    references = (
        GOOGLE_REDIRECTS,
        GOOGLE_JAVASCRIPT,
    )

    query = """
        select url, rendered_final_url as target, rendered_status as status,
            if(
                list_contains(list_transform(rendered_navigations, lambda going: going.by),
                    'document'),
                'another document', 'history'
            ) as way
        from pages
        where rendered_error is null and rendered_final_url <> url
            and not list_contains(list_transform(refresh, lambda stated: stated.url),
                rendered_final_url)
    """
