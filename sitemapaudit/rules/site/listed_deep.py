from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS, Choice
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class ListedDeep(QueryRule):
    """Listed page is many clicks from the home page

    When: links were recorded (``links=record``), a listed page is indexable, and the shortest path
    of links from the home page to it, or to a page that is canonicalized to it, takes more than
    AUDIT_DEEP_CLICKS clicks (5 by default). Redirects do not count. Nothing is reported if the
    link graph may be incomplete, because unknown links could make the path shorter;
    links-inconclusive says why.

    Why: Few visitors get there. Crawlers consider pages that are far from the home page less
    important, and fetch them less often.

    Fix: Link to the page from a page that is closer to the home page, such as a category or a hub.
    """

    severity = Severity.NOTICE
    message = "is {clicks} clicks from the home page"
    cause = "are more than {_limit} from the home page"
    references = (PRACTICE,)

    depends_on = (*RECORDED_LINKS, Choice("deep_clicks"))
    needs = (LINKS,)
    query = """
        select urls.url, least(urls.clicks, duplicate_links.clicks) as clicks, deep_clicks as limit,
            count_noun(deep_clicks, 'click') as _limit
        from urls
        left join duplicate_links using (url)
        join rule_options on least(urls.clicks, duplicate_links.clicks) > deep_clicks
        where urls.indexable and deep_clicks > 0 and not exists (from link_gaps)
    """
