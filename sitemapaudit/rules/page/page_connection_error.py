from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageConnectionError(Query):
    """A listed URL cannot be reached

    When: at the URL, or at the end of its redirects, and after retries, the host is not found
    or has a private address, the connection is refused, reset or broken off, or what comes
    back is not HTTP or cannot be decompressed. The evidence says so where it was robots.txt
    that failed.

    Why: Engines take it as a server error, and drop the page if it lasts.

    Fix: Repair the DNS or the host; or remove the entry.
    """

    severity = Severity.ERROR
    message = "{ending} nothing usable ({error}: {detail})"
    references = (GOOGLE_HTTP,)

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending,
            urls.final_error as error, final.error_detail as detail, final.retries
        from urls join pages as final on final.url = urls.final_url
        where urls.final_error in (
            'dns', 'refused', 'reset', 'truncated', 'invalid-http', 'encoding', 'private-address'
        )
    """
