from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class ListedTwin(QueryRule):
    """Pages link to another address of the listed page

    When: links were recorded (``links=record``), a listed page is indexable, and visitors cannot
    reach it by links, but they reach another URL that has the same text and differs in form only:
    by a slash at the end, ``index.html``, an extension, ``www.``, the scheme, the case, or
    percent-encoding. Such a page is not an orphan. Nothing is reported if the link graph may be
    incomplete; links-inconclusive says why.

    Why: The sitemap and the links name different URLs for one page. A search engine chooses one of
    them, and it may not be the listed one.

    Fix: Use one address in links and in the sitemap, and redirect the other to it.
    """

    severity = Severity.WARNING
    message = "no way of links leads to this address: {twin} has the same text, and {_found}"
    cause = "are linked at another address"
    references = (GOOGLE_CANONICAL,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = """
        select url, twin, inlinks,
            if(
                inlinks = 0, 'is the home page', 'is linked by ' || count_noun(inlinks, 'page')
            ) as _found
        from twin_links where not exists (from link_gaps)
    """
