from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import NO_RESPONSES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, PRACTICE


class PageTlsError(QueryRule):
    """TLS connection to a listed URL fails

    When: at the URL, or at the end of its redirects, the certificate has expired, is not yet
    valid, is for another host or has an unknown issuer, or the handshake fails. The page is not
    fetched without verification.

    Why: Browsers refuse the page, and engines prefer the http URL.

    Fix: Renew or correct the certificate, including its chain of issuers.
    """

    severity = Severity.ERROR
    message = "{response} no usable response (TLS: {detail})"
    references = (
        GOOGLE_CANONICAL,
        PRACTICE,
    )

    needs = (NO_RESPONSES,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_error as error, final.error_detail as detail, final.retries
        from urls join pages as final on final.url = urls.final_url
        where urls.final_error = 'tls'
    """
