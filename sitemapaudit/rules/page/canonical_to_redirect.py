from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import CANONICALIZED, FOLLOWS_CANONICALS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_6596


class CanonicalToRedirect(QueryRule):
    """Canonical of a listed page redirects

    When: all usable canonicals in the response of the URL itself name the same other URL, that
    URL was fetched, and it returns 301, 302, 303, 307 or 308, or 2xx with a meta refresh or a
    Refresh header to another URL and no delay.

    Why: The page declares a canonical that is not a final URL.

    Fix: Point to the final URL.
    """

    severity = Severity.ERROR
    message = "is canonicalized to {canonical}, which {problem}"
    references = (
        RFC_6596,
        GOOGLE_CANONICAL,
    )

    depends_on = (FOLLOWS_CANONICALS,)
    needs = (CANONICALIZED,)
    query = """
        select pages.url, pages.canonical, target.status,
            if(target.redirect_kind = 'refresh', 'redirects with a refresh',
                'returns ' || target.status) as problem
        from pages join pages as target on target.url = pages.canonical
        where pages.canonical <> pages.url and target.verdict = 'redirected'
    """
