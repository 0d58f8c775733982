from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REDIRECTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, GOOGLE_REDIRECTS


class PageRedirectPermanent(QueryRule):
    """Listed URL redirects permanently (301 or 308)

    When: the URL itself returns 301 or 308 with a valid Location. A redirect without one is
    reported by page-redirect-invalid only, and a loop by page-redirect-loop only.

    Why: A sitemap should list the URLs that belong in search results, but a permanent redirect
    says that this URL is not one of them.

    Fix: List the target instead.
    """

    severity = Severity.ERROR
    message = "returns {status} and redirects to {location}"
    references = (
        GOOGLE_REDIRECTS,
        GOOGLE_BUILD,
    )

    needs = (REDIRECTS,)
    query = """
        select url, pages.status, pages.location
        from urls join pages using (url)
        where pages.status in (301, 308)
            and pages.target is not null and not urls.redirect_loop
    """
