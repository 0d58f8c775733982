from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, PRACTICE


class PageTlsError(Query):
    """The certificate or the encryption of a listed URL is bad

    When: at the URL, or at the end of its redirects, the certificate has expired, is not yet
    valid, names another host or has an unknown issuer, or the handshake fails. The page is
    then not asked for without verification.

    Why: Browsers refuse the page, and engines prefer the http address.

    Fix: Renew or correct the certificate, the chain of its issuers included.
    """

    severity = Severity.ERROR
    message = "{ending} nothing usable (TLS: {detail})"
    references = (
        GOOGLE_CANONICAL,
        PRACTICE,
    )

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending,
            urls.final_error as error, final.error_detail as detail, final.retries
        from urls join pages as final on final.url = urls.final_url
        where urls.final_error = 'tls'
    """
