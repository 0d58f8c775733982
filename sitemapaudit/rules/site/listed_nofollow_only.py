from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_QUALIFY


class ListedNofollowOnly(QueryRule):
    """All links to the listed page are nofollow

    When: links were recorded (``links=record``), a listed page is indexable, other pages link to
    it, and every link is marked as nofollow, ugc or sponsored, or is on a page whose robots meta
    tag or header says nofollow. Redirects and canonicals count as in orphan-no-inlinks. Home pages
    and orphans are not reported. Nothing is reported if the link graph may be incomplete;
    links-inconclusive says why.

    Why: The sitemap says that the page is important, and the links say the opposite: Google
    generally does not follow them, and may find the page through the sitemap only.

    Fix: Remove nofollow from the links to your own pages. If the page must not be found, mark it
    with noindex, and remove it from the sitemap.
    """

    severity = Severity.NOTICE
    message = "is linked by nofollow links only, on {pages}"
    cause = "are linked by nofollow links only"
    references = (GOOGLE_QUALIFY,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = """
        select url, count_noun(inlinks, 'page') as pages
        from (
            select url, urls.inlinks + coalesce(duplicates.inlinks, 0) as inlinks
            from urls
            left join duplicate_links as duplicates using (url)
            where urls.indexable and urls.clicks is distinct from 0
                and urls.inlinks_follow + coalesce(duplicates.inlinks_follow, 0) = 0
        )
        anti join orphans using (url)
        where inlinks > 0 and not exists (from link_gaps)
    """
