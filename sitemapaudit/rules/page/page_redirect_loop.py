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
        with cookies as (
            select distinct looping.url
            from (
                select url, unnest(redirect_chain) as hop from urls where redirect_loop
            ) as looping
            semi join (select url from pages where sets_cookie) as setting
                on setting.url = looping.hop
        )
        select url, array_to_string(redirect_chain || [final_url], ' → ') as chain,
            if(
                url in (from cookies), ' (a redirect sets a cookie, and crawlers keep none)', ''
            ) as note
        from urls
        where redirect_loop
    """
