from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import UNUSUAL_STATUSES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, PRACTICE


class PageStatusUnusual(QueryRule):
    """Listed URL returns an unusual status or an empty body

    When: the final status (of the URL itself, or at the end of its redirects) is 1xx, 2xx
    other than 200, 3xx other than the redirects 301, 302, 303, 307 and 308 (that is, 300,
    304, 305, 306 and any unknown status), or invalid, such as 999; or it is 200 with an empty body.

    Why: Engines have nothing to index. They treat most of these as a page that does not exist.

    Fix: Return 200 with content.
    """

    severity = Severity.WARNING
    message = "{response} {status}{note}"
    cause = "{_end} {status}{note}"
    references = (
        GOOGLE_HTTP,
        PRACTICE,
    )

    needs = (UNUSUAL_STATUSES,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_status as status,
            if(urls.hops = 0, 'return', 'redirect to URLs that return') as _end,
            case when urls.final_status = 200 then ' with an empty body' else '' end as note
        from urls join pages as final on final.url = urls.final_url
        where final.challenge is null and final.error is null and (
            urls.final_status not between 400 and 599
                and urls.final_status not in (200, 301, 302, 303, 307, 308)
            or urls.final_status = 200 and final.bytes = 0 and not final.truncated
        )
    """
