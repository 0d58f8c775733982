from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP, SEARCH_CONSOLE


class PageRedirectLoop(Query):
    """A listed URL redirects in a circle

    When: an address, normalised, occurs twice in the chain of redirects from the listed URL,
    be it the URL itself or another one; twenty redirects are followed.

    Why: The page can never be reached.

    Fix: Break the loop. If it redirects to itself to set a cookie, answer 200 to clients
    without cookies.
    """

    severity = Severity.ERROR
    message = "redirects in a circle: {chain}{note}"
    references = (
        GOOGLE_HTTP,
        SEARCH_CONSOLE,
    )

    query = """
        select urls.url, array_to_string(urls.chain || [urls.final_url], ' → ') as chain,
            case when pages.target = pages.url and pages.sets_cookie
                then ' (to itself, and sets a cookie)' else '' end as note
        from urls join pages using (url)
        where urls.loop
    """
