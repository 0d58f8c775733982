from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangNoReturn(Query):
    """A language alternate does not name the page in return

    When: a URL names another as its alternate (in the sitemap, in HTML or in a header), and
    none of the three sources of that one names the URL. The other is one that a sitemap lists
    and that is indexable; or one that was not asked for, if a sitemap names it; or a page
    that no sitemap lists, was read and is indexable, if all sitemaps of the site could be
    read. Nothing is said of a URL that is itself known not to be indexable; and what else is
    wrong with the other is hreflang-to-non-indexable.

    Why: Without the return link engines ignore both.

    Fix: Let each version of a page name every version, itself as well.
    """

    severity = Severity.ERROR
    message = "names alternates that do not name it in return: {alternates}"
    references = (GOOGLE_HREFLANG,)

    query = """
        with links as (
            select url, target, bool_or(source = 'sitemap') as mapped
            from alternates
            where target is not null and target <> url
            group by url, target
        ), unanswered as (
            from links
            anti join links as back on back.url = links.target and back.target = links.url
        ), one_way as (
            select unanswered.url, unanswered.target
            from unanswered
            join urls on urls.url = unanswered.url
            left join urls as listed on listed.url = unanswered.target
            left join pages as other on other.url = unanswered.target
            where coalesce(urls.indexable, true) and case
                when listed.url is null then other.verdict = 'indexable'
                    and origin_of(unanswered.target) not in (from partly_known)
                when listed.verdict = 'unchecked' then mapped
                else listed.indexable
            end
        )
        select url, count(*) as missing,
            array_to_string(list(target order by target)[1:5], ', ')
                || if(count(*) > 5, ' …', '') as alternates
        from one_way
        group by url
    """
