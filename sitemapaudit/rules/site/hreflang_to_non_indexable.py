from sitemapaudit.items import Severity, Verdict
from sitemapaudit.rules.needs import ALTERNATES, FOLLOWS_HREFLANG
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG
from sitemapaudit.verdicts import NOT_INDEXABLE


class HreflangToNonIndexable(QueryRule):
    """hreflang alternate is not indexable

    When: a URL declares an alternate (in the sitemap, the HTML or a header) that redirects, returns
    4xx or 5xx, is a file of a type that Google does not index, is noindex, is blocked by
    robots.txt, or is canonicalized to another URL. Alternates that no sitemap lists are fetched if
    they are on a host of the site, `follow` has `hreflang`, as it does by default, and all listed
    pages are fetched.

    Why: Engines drop such an alternate, and may drop the whole group.

    Fix: Declare the indexable URL instead.
    """

    severity = Severity.ERROR
    message = "declares alternates that are not indexable: {alternates}"
    references = (GOOGLE_HREFLANG,)

    depends_on = (FOLLOWS_HREFLANG,)
    needs = ALTERNATES
    query = f"""
        with not_indexable as (
            select url, verdict from pages
            where verdict in ({NOT_INDEXABLE}, '{Verdict.BLOCKED}')
                and verdict <> '{Verdict.SOFT_404}'
        ), links as (
            select distinct alternates.url, target, verdict
            from alternates
            join not_indexable on not_indexable.url = alternates.target
            semi join urls on urls.url = alternates.url
            where target <> alternates.url
        )
        select url, count(*) as count,
            array_to_string(list(target || ' (' || verdict || ')' order by target)[1:5], ', ')
                || if(count(*) > 5, ' and ' || count(*) - 5 || ' more', '') as alternates
        from links
        group by url
    """
