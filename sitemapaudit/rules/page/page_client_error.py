from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageClientError(Query):
    """A listed URL answers with a client error

    When: the final status (of the URL itself, or at the end of its redirects) is 400 to 499
    other than 401, 403, 404, 407, 410 and 429. The challenge of a bot protection is none.

    Why: Engines treat all of these as if the page were not there.

    Fix: Correct what answers under the address, or remove the entry.
    """

    severity = Severity.ERROR
    message = "{ending} {status}"
    references = (GOOGLE_HTTP,)

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending,
            urls.final_status as status, urls.hops
        from urls join pages as final on final.url = urls.final_url
        where urls.final_status between 400 and 499
            and urls.final_status not in (401, 403, 404, 407, 410, 429)
            and final.challenge is null
    """
