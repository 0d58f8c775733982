from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ERROR_STATUSES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageNotFound(QueryRule):
    """Listed URL is not found (404 or 410)

    When: the final status (of the URL itself, or at the end of its redirects) is 404 or 410.
    A bot challenge does not count.

    Why: The entry is a broken link: engines do not index it, and every request for it is wasted.

    Fix: Remove the entry, or restore the page.
    """

    severity = Severity.ERROR
    message = "{response} {status}"
    references = (GOOGLE_HTTP,)

    needs = (ERROR_STATUSES,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_status as status, urls.hops
        from urls join pages as final on final.url = urls.final_url
        where urls.final_status in (404, 410) and final.challenge is null
    """
