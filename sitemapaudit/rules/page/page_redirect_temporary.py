from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REDIRECTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_REDIRECTS


class PageRedirectTemporary(QueryRule):
    """Listed URL redirects temporarily (302, 303 or 307)

    When: the URL itself returns 302, 303 or 307 with a valid Location. A redirect without one
    is reported by page-redirect-invalid only, and a loop by page-redirect-loop only.

    Why: An engine may keep the URL or switch to the target: the two signals contradict each
    other.

    Fix: List the target, or make the URL return 200.
    """

    severity = Severity.WARNING
    message = "returns {status} and redirects to {location}"
    references = (GOOGLE_REDIRECTS,)

    needs = (REDIRECTS,)
    query = """
        select url, pages.status, pages.location
        from urls join pages using (url)
        where pages.status in (302, 303, 307)
            and pages.target is not null and not urls.redirect_loop
    """
