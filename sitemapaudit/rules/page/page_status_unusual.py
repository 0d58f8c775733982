from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP, PRACTICE


class PageStatusUnusual(Query):
    """A listed URL answers in an unusual way

    When: the final status is 1xx, 2xx other than 200, 300, 304, 305 or 306, or it is 200
    with an empty body.

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
            urls.final_status between 100 and 199
            or urls.final_status between 201 and 299
            or urls.final_status in (300, 304, 305, 306)
            or (urls.final_status = 200 and final.bytes = 0)
        )
    """
