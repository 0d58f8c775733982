from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_6596


class CanonicalToRedirect(Query):
    """The canonical of a listed page redirects

    When: the one address that the usable canonicals of the URL's own answer name is another
    one, was asked for, and answers 301, 302, 303, 307 or 308.

    Why: The page names an address that says itself that it is not the one.

    Fix: Point to the final address.
    """

    severity = Severity.ERROR
    message = "names the canonical {canonical}, which answers {status}"
    references = (
        RFC_6596,
        GOOGLE_CANONICAL,
    )

    query = """
        select pages.url, pages.canonical, target.status
        from pages join pages as target on target.url = pages.canonical
        where pages.canonical <> pages.url and target.status in (301, 302, 303, 307, 308)
    """
