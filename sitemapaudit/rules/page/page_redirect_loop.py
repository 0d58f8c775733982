from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import FOLLOWS_REDIRECTS, REDIRECTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, SEARCH_CONSOLE


class PageRedirectLoop(QueryRule):
    """Listed URL redirects in a loop

    When: a normalized URL occurs twice in the redirect chain of the listed URL, whether it is
    the listed URL or another one. Up to twenty redirects are followed.

    Why: The page can never be reached. Crawlers keep no cookies: for them, a redirect that waits
    for one never ends.

    Fix: Break the loop. If the URL redirects to itself to set a cookie, return 200 to clients
    without cookies.
    """

    severity = Severity.ERROR
    message = "redirects in a loop: {chain}{note}"
    references = (
        GOOGLE_HTTP,
        SEARCH_CONSOLE,
    )

    depends_on = (FOLLOWS_REDIRECTS,)
    needs = (REDIRECTS,)
    query = """
        select urls.url, array_to_string(urls.redirect_chain || [urls.final_url], ' → ') as chain,
            if(
                list_has_any(urls.redirect_chain, (select list(url) from pages where sets_cookie)),
                ' (a redirect sets a cookie, and crawlers keep none)', ''
            ) as note
        from urls
        where urls.redirect_loop
    """
