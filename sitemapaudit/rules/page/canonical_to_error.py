from sitemapaudit.items import Severity, Verdict
from sitemapaudit.rules.needs import CANONICALIZED, FOLLOWS_CANONICALS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import RFC_6596


class CanonicalToError(QueryRule):
    """Canonical of a listed page returns an error

    When: all usable canonicals in the response of the URL itself name the same other URL, that
    URL was fetched, and it returns 4xx or 5xx, or no response after retries. A target that
    returns 401, 403, 407, 429 or a bot challenge is unknown, and so is a target that the audit did
    not request, such as a page of another host in the audit of a build: neither is reported.

    Why: The page gives its place in search results to a URL that cannot be indexed.

    Fix: Correct the canonical, or restore its target.
    """

    severity = Severity.ERROR
    message = "is canonicalized to {canonical}, which {problem}"
    references = (RFC_6596,)

    depends_on = (FOLLOWS_CANONICALS,)
    needs = (CANONICALIZED,)
    query = f"""
        select pages.url, pages.canonical,
            case when target.error is null then 'returns ' || target.status
                else 'returns no response (' || target.error || ')' end as problem
        from pages join pages as target on target.url = pages.canonical
        where pages.canonical <> pages.url
            and (target.error is not null or target.status >= 400)
            and target.verdict not in ('{Verdict.UNCHECKED}', '{Verdict.DENIED}')
    """
