from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import NO_RESPONSES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_NETWORK


class PageConnectionError(QueryRule):
    """Listed URL is unreachable

    When: at the URL, or at the end of its redirects, and after retries: the host is not found
    or has a private address; the connection is refused, reset or closed early; or the response
    is not HTTP or cannot be decompressed. The evidence says if the error occurred at
    robots.txt.

    Why: Engines treat this as a server error, and drop the page if it lasts.

    Fix: Repair the DNS or the host, or remove the entry.
    """

    severity = Severity.ERROR
    message = "{response} no usable response ({error}: {detail})"
    references = (GOOGLE_NETWORK,)

    needs = (NO_RESPONSES,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_error as error, final.error_detail as detail, final.retries
        from urls join pages as final on final.url = urls.final_url
        where urls.final_error in (
            'dns', 'refused', 'reset', 'truncated', 'invalid-http', 'encoding', 'private-address'
        )
    """
