from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import NO_RESPONSES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_NETWORK, YANDEX


class PageTimeout(QueryRule):
    """Listed URL times out

    When: at the URL, or at the end of its redirects, and after retries, there is no complete
    response within the time limit. The evidence says if robots.txt timed out.

    Why: Engines give up as well, and slow down for the whole host.

    Fix: Make the response faster, or find out what it waits for.
    """

    severity = Severity.ERROR
    message = "{response} no complete response in time ({detail})"
    references = (
        YANDEX,
        GOOGLE_NETWORK,
    )

    needs = (NO_RESPONSES,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_error as error, final.error_detail as detail, final.retries
        from urls join pages as final on final.url = urls.final_url
        where urls.final_error = 'timeout'
    """
