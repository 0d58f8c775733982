from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP, PRACTICE


class PageRedirectChain(Query):
    """A listed URL redirects more than once

    When: there are at least two redirects in a row: warning. More than ten: error; twenty are
    followed. A chain that meets itself is told as a loop alone.

    Why: Every hop costs a request and time; Googlebot gives up after ten.

    Fix: Redirect in one hop, and list the target.
    """

    severity = Severity.ERROR
    message = "redirects {hops} times: {chain}"
    references = (
        GOOGLE_HTTP,
        PRACTICE,
    )

    query = """
        select url, hops, array_to_string(chain || [final_url], ' → ') as chain,
            case when hops > 10 then 'error' else 'warning' end as severity
        from urls
        where hops >= 2 and not loop
    """
