from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import FOLLOWS_REDIRECTS, REDIRECTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, PRACTICE


class PageRedirectChain(QueryRule):
    """Listed URL redirects more than once

    When: the URL redirects at least twice in a row: warning. More than ten times: error. Up to
    twenty redirects are followed. A loop is reported by page-redirect-loop only.

    Why: Each hop costs a request and time, and Googlebot gives up after ten.

    Fix: Redirect in one hop, and list the target.
    """

    severity = Severity.ERROR
    message = "redirects {hops} times: {chain}"
    references = (
        GOOGLE_HTTP,
        PRACTICE,
    )

    depends_on = (FOLLOWS_REDIRECTS,)
    needs = (REDIRECTS,)
    query = """
        select url, hops, array_to_string(redirect_chain || [final_url], ' → ') as chain,
            case when hops > 10 then 'error' else 'warning' end as severity
        from urls
        where hops >= 2 and not redirect_loop
    """
