from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageServerError(Query):
    """A listed URL answers with a server error

    When: the final status (of the URL itself, or at the end of its redirects) is 500 or above
    after retries. The challenge of a bot protection is none.

    Why: Engines slow down for the whole host, and drop the page if it lasts.

    Fix: Repair what fails under this address; the server's log tells why.
    """

    severity = Severity.ERROR
    message = "{ending} {status}, {times} times in a row"
    references = (GOOGLE_HTTP,)

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending,
            urls.final_status as status, final.retries + 1 as times
        from urls join pages as final on final.url = urls.final_url
        where urls.final_status >= 500 and final.challenge is null
    """
