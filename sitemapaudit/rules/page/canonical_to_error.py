from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import RFC_6596


class CanonicalToError(Query):
    """The canonical of a listed page is an error

    When: the one address that the usable canonicals of the URL's own answer name is another
    one, was asked for, and answers 4xx or 5xx, or not at all after retries. 401, 403, 407,
    429, and the challenge of a bot protection say nothing about it.

    Why: The page hands its place in results to an address that has none.

    Fix: Correct the canonical, or restore its target.
    """

    severity = Severity.ERROR
    message = "names the canonical {canonical}, which {problem}"
    references = (RFC_6596,)

    query = """
        select pages.url, pages.canonical,
            case when target.error is null then 'answers ' || target.status
                else 'gives no answer (' || target.error || ')' end as problem
        from pages join pages as target on target.url = pages.canonical
        where pages.canonical <> pages.url and target.challenge is null
            and (target.error is not null or target.status >= 400)
            and coalesce(target.status, 0) not in (401, 403, 407, 429)
            and coalesce(target.error, '') not in ('internal', 'limit')
    """
