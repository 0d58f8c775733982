from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, GOOGLE_META, PRACTICE


class CanonicalToNoindex(Query):
    """The canonical of a listed page is noindex

    When: the one address that the usable canonicals of the URL's own answer name is another
    one, was asked for, answers 2xx, and is noindex to the agent, an unavailable_after in the
    past included. A target that robots.txt forbids is not known.

    Why: The page hands its place in results to one that refuses it.

    Fix: Correct the canonical, or take noindex from its target.
    """

    severity = Severity.ERROR
    message = "names the canonical {canonical}, which says {directives}"
    references = (
        GOOGLE_CANONICAL,
        GOOGLE_META,
        PRACTICE,
    )

    query = """
        select pages.url, pages.canonical, array_to_string(target.directives, ', ') as directives
        from pages join pages as target on target.url = pages.canonical
        where pages.canonical <> pages.url and target.noindex
    """
