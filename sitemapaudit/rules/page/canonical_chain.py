from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import RFC_6596


class CanonicalChain(Query):
    """The canonical of a listed page names another canonical

    When: the target declares a usable canonical that is not itself. If that is the page
    again, it is a loop: error.

    Why: Engines may follow one step, and may pass over the whole.

    Fix: Point to the end of the chain.
    """

    severity = Severity.ERROR
    message = "names the canonical {canonical}, which names {beyond}"
    references = (RFC_6596,)

    query = """
        select pages.url, pages.canonical, target.canonical as beyond,
            case when target.canonical = pages.url then 'error' else 'warning' end as severity
        from pages join pages as target on target.url = pages.canonical
        where pages.canonical <> pages.url and target.canonical <> target.url
    """
