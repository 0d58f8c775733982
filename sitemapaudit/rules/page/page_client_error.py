from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ERROR_STATUSES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageClientError(QueryRule):
    """Listed URL returns another client error (4xx)

    When: the final status (of the URL itself, or at the end of its redirects) is 400 to 499
    other than 401, 403, 404, 407, 410 and 429. A bot challenge does not count.

    Why: Engines treat all of these as if the page did not exist.

    Fix: Correct what the URL returns, or remove the entry.
    """

    severity = Severity.ERROR
    message = "{response} {status}"
    references = (GOOGLE_HTTP,)

    needs = (ERROR_STATUSES,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_status as status, urls.hops
        from urls join pages as final on final.url = urls.final_url
        where urls.final_status between 400 and 499
            and urls.final_status not in (404, 410)
            and (urls.final_status not in (401, 403, 407, 429) or final.file is not null)
            and final.challenge is null
    """
