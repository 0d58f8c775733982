from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageNotFound(Query):
    """A listed URL is not found

    When: the final status is 404 or 410.

    Why: Engines do not index it, and every request for it is wasted.

    Fix: Remove the entry, or restore the page.
    """

    severity = Severity.ERROR
    message = "{ending} {status}"
    references = (GOOGLE_HTTP,)

    query = """
        select url, ending(hops, final_url) as ending, final_status as status, hops
        from urls
        where final_status in (404, 410)
    """
