from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP, PRACTICE


class PageStatusUnusual(Query):
    """A listed URL answers in an unusual way

    When: the final status (of the URL itself, or at the end of its redirects) is 1xx, 2xx
    other than 200, or 3xx other than the redirects 301, 302, 303, 307 and 308 (so 300, 304,
    305, 306 and any that is not known); or it is 200 with an empty body.

    Why: Engines have nothing to index: they take most of these as a page that is not there.

    Fix: Answer 200 with content.
    """

    severity = Severity.WARNING
    message = "{ending} {status}{note}"
    references = (
        GOOGLE_HTTP,
        PRACTICE,
    )

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending, urls.final_status as status,
            case when urls.final_status = 200 then ' with an empty body' else '' end as note
        from urls join pages as final on final.url = urls.final_url
        where final.challenge is null and final.error is null and (
            urls.final_status between 100 and 399
                and urls.final_status not in (200, 301, 302, 303, 307, 308)
            or urls.final_status = 200 and final.bytes = 0
        )
    """
