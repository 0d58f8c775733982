from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class PageRedirectOffsite(Query):
    """A listed URL redirects to another host

    When: the last address of the redirects, asked for or not, is on another host (www and no
    www are two): warning. From https to http: error, on the same host too. A loop has no last
    address.

    Why: The sitemap speaks for its own host; what another host answers is not for it to
    list. A redirect to http gives up the protection that https promised.

    Fix: Remove the entry; or redirect within the site, to https.
    """

    severity = Severity.ERROR
    message = "redirects to {final_url}, {problem}"
    references = (GOOGLE_CANONICAL,)

    query = """
        select url, final_url,
            case when downgrade then 'from https to http' else 'another host' end as problem,
            case when downgrade then 'error' else 'warning' end as severity
        from (
            select url, final_url, host_of(url) <> host_of(final_url) as away,
                url like 'https:%' and final_url like 'http:%' as downgrade
            from urls
            where hops > 0 and not loop
        )
        where away or downgrade
    """
