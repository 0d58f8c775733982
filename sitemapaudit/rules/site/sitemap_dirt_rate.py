from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import EXTENT, HUNDRED_KNOWN_URLS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class SitemapDirtRate(QueryRule):
    """Too many listed URLs are not indexable

    When: of at least 100 listed URLs of a site that are known to be indexable or not, more than 1 %
    are not: they redirect, return an error, are files of a type that Google does not index, are
    noindex, are canonicalized to another URL, or are soft 404s.

    Why: Bing has said that it loses trust in a sitemap with more than 1 % of such URLs. Each of
    them also costs a request that another page could use.

    Fix: Fix the generator rather than the entries. The findings show what it lets through.
    """

    severity = Severity.WARNING
    message = "{not_indexable} of {known} {_urls} are not indexable ({_share})"
    about_sitemaps = True
    references = (PRACTICE,)

    depends_on = EXTENT
    needs = (HUNDRED_KNOWN_URLS,)
    query = """
        select origin_of(url) as url, count_if(not indexable) as not_indexable,
            count(indexable) as known, round(100 * avg((not indexable)::int), 2) as share,
            percent(avg((not indexable)::int)) as _share,
            if(count(skip_reason) > 0, 'checked URLs', 'listed URLs') as _urls
        from urls
        group by origin_of(url)
        having count(indexable) >= 100 and count_if(not indexable) > 0.01 * count(indexable)
    """
