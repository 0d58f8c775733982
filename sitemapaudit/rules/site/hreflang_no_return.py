from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ALTERNATES, FOLLOWS_HREFLANG
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangNoReturn(QueryRule):
    """hreflang alternate has no return link

    When: a URL declares another as its alternate (in the sitemap, the HTML or a header), and the
    alternate does not declare the URL in any of the three. The alternate must be a listed URL that
    is indexable; or a listed URL that was not fetched, if a sitemap declares it as the alternate
    and declares alternates for it, too; or an unlisted page that was fetched and is indexable, if
    all sitemaps of its site could be read. URLs that are known not to be indexable are not
    checked. Other problems of the alternate are reported by hreflang-to-non-indexable.

    Why: Without the return link, engines ignore both.

    Fix: Declare every version of a page on every version, itself included.
    """

    severity = Severity.ERROR
    message = "has no return link from {alternates}"
    cause = "have alternates without a return link"
    references = (GOOGLE_HREFLANG,)

    depends_on = (FOLLOWS_HREFLANG,)
    needs = ALTERNATES
    query = """
        with links as (
            select url, target, bool_or(source = 'sitemap') as in_sitemap
            from alternates
            where target is not null and target <> url
            group by url, target
        ), unreturned as (
            from links
            anti join links as back on back.url = links.target and back.target = links.url
        ), one_way as (
            select unreturned.url, unreturned.target
            from unreturned
            join urls on urls.url = unreturned.url
            left join urls as listed on listed.url = unreturned.target
            left join pages as other on other.url = unreturned.target
            where coalesce(urls.indexable, true) and case
                when listed.url is null then other.verdict = 'indexable'
                    and origin_of(unreturned.target) not in (select origin from incomplete_origins)
                when listed.verdict = 'unchecked' then in_sitemap
                    and unreturned.target in (select url from alternates where source = 'sitemap')
                else listed.indexable
            end
        )
        select url, count(*) as count,
            array_to_string(list(target order by target)[1:5], ', ')
                || if(count(*) > 5, ' and ' || count(*) - 5 || ' more', '') as alternates
        from one_way
        group by url
    """
