from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_BUILD, GOOGLE_CANONICAL


class CanonicalElsewhere(Query):
    """The canonical of a listed page is another URL

    When: the page at the final address (the URL itself, or the end of its redirects) answers
    2xx, its usable canonicals all name one address, and normalised that is not the final
    address. The finding is on the listed URL.

    Why: A sitemap is to list canonical addresses; here the page itself says that it is not
    one.

    Fix: List the canonical address, or correct the tag.
    """

    severity = Severity.ERROR
    message = "{way}names {canonical} as its canonical, by {source}"
    references = (
        GOOGLE_CANONICAL,
        GOOGLE_BUILD,
    )

    query = """
        select urls.url,
            if(urls.hops = 0, '', 'redirects to ' || urls.final_url || ', which ') as way,
            final.canonical, final.canonical_source as source
        from urls join pages as final on final.url = urls.final_url
        where final.canonical <> final.url
    """
