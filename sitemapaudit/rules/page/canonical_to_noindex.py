from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import CANONICALIZED, FOLLOWS_CANONICALS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, GOOGLE_META, PRACTICE


class CanonicalToNoindex(QueryRule):
    """Canonical of a listed page is noindex

    When: all usable canonicals in the response of the URL itself name the same other URL, that
    URL was fetched, and it returns 2xx and is noindex for the agent. An unavailable_after in
    the past counts as noindex. A target that robots.txt blocks is unknown, and is not reported.

    Why: The page gives its place in search results to a page that must not be indexed.

    Fix: Correct the canonical, or remove noindex from its target.
    """

    severity = Severity.ERROR
    message = "is canonicalized to {canonical}, which says {directives}"
    references = (
        GOOGLE_CANONICAL,
        GOOGLE_META,
        PRACTICE,
    )

    depends_on = (FOLLOWS_CANONICALS,)
    needs = (CANONICALIZED,)
    query = """
        select pages.url, pages.canonical, array_to_string(target.directives, ', ') as directives
        from pages join pages as target on target.url = pages.canonical
        where pages.canonical <> pages.url and target.noindex
    """
