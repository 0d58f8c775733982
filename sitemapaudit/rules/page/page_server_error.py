from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ERROR_STATUSES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageServerError(QueryRule):
    """Listed URL returns a server error (500, 502, 503 …)

    When: the final status (of the URL itself, or at the end of its redirects) is 500 to 599
    after retries. A bot challenge does not count.

    Why: Engines slow down for the whole host, and drop the page if it lasts.

    Fix: Repair what fails at this URL. The server log shows the reason.
    """

    severity = Severity.ERROR
    message = "{response} {status} (attempts: {attempts})"
    references = (GOOGLE_HTTP,)

    needs = (ERROR_STATUSES,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_status as status, final.retries + 1 as attempts
        from urls join pages as final on final.url = urls.final_url
        where urls.final_status between 500 and 599 and final.challenge is null
    """
