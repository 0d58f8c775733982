from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangToNonIndexable(Query):
    """A language alternate cannot be indexed

    When: a URL names an alternate (in the sitemap, in HTML or in a header) that redirects,
    answers 4xx or 5xx, is noindex, is forbidden by robots.txt, or names another canonical.
    Alternates that no sitemap lists are known only with `follow=hreflang`.

    Why: Engines drop such an alternate, and may drop the whole group.

    Fix: Name the address that can be indexed.
    """

    severity = Severity.ERROR
    message = "names alternates that cannot be indexed: {alternates}"
    references = (GOOGLE_HREFLANG,)

    query = """
        with bad as (
            select url, verdict from pages
            where verdict in ('redirected', 'not-found', 'client-error', 'server-error', 'noindex',
                'blocked', 'canonicalized')
        ), links as (
            select distinct alternates.url, target, verdict
            from alternates
            join bad on bad.url = alternates.target
            semi join urls on urls.url = alternates.url
            where target <> alternates.url
        )
        select url, count(*) as number,
            array_to_string(list(target || ' (' || verdict || ')' order by target)[1:5], ', ')
                || if(count(*) > 5, ' …', '') as alternates
        from links
        group by url
    """
