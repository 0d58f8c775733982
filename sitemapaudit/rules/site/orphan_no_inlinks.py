from sitemapaudit.items import OrphanKind, Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_LINKS


class OrphanNoInlinks(QueryRule):
    """Listed page has no internal links

    When: links were recorded (``links=record``), a listed page is indexable, and no other page of
    the site links to it: neither to its URL, nor to a URL that redirects to it, nor to a page that
    is canonicalized to it. Home pages are not reported, nor are the pages that they redirect to.
    Nothing is reported if the link graph may be incomplete; links-inconclusive says why.

    Why: Visitors cannot find the page. Search engines find it only through the sitemap, and
    consider it unimportant: Google says that every page you care about should have a link from
    at least one other page.

    Fix: Link to the page from where visitors look for it, or remove it from the site and from the
    sitemap. The table ``orphans`` suggests pages that could link to it.
    """

    severity = Severity.WARNING
    message = "has no link from another page of the site"
    cause = "have no link from another page of the site"
    references = (GOOGLE_LINKS,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = f"""
        select url from orphans where certain and kind = '{OrphanKind.NO_INLINKS}'
    """
