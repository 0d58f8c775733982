from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP, YANDEX


class PageTimeout(Query):
    """A listed URL takes too long

    When: at the URL, or at the end of its redirects, there is no complete answer within the
    time that is set, after retries. The evidence says so where it was robots.txt that gave
    none.

    Why: Engines give up as well, and slow down for the whole host.

    Fix: Make it faster, or find out what it waits for.
    """

    severity = Severity.ERROR
    message = "{ending} not in time ({detail})"
    references = (
        YANDEX,
        GOOGLE_HTTP,
    )

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending,
            urls.final_error as error, final.error_detail as detail, final.retries
        from urls join pages as final on final.url = urls.final_url
        where urls.final_error = 'timeout'
    """
