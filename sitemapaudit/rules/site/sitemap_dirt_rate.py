from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE


class SitemapDirtRate(Query):
    """Too many of the listed URLs do not belong in a sitemap

    When: of at least 100 listed URLs of a site of which it is known whether they can be
    indexed, more than 1 % cannot be: they redirect, answer with an error, are noindex, name
    another canonical, or are a soft 404.

    Why: Bing has said that it loses trust in a sitemap with more than 1 % of such URLs; and
    each of them costs a request that a page would need.

    Fix: Mend the generator rather than the entries; the findings say what it lets through.
    """

    severity = Severity.WARNING
    message = "has {dirty} of {known} listed URLs that cannot be indexed ({share} %)"
    references = (PRACTICE,)

    query = """
        select origin_of(url) || '/' as url, count_if(not indexable) as dirty,
            count(indexable) as known, round(100 * avg((not indexable)::int), 2) as share
        from urls
        group by origin_of(url)
        having count(indexable) >= 100 and count_if(not indexable) > 0.01 * count(indexable)
    """
