from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageAccessDenied(Query):
    """A listed URL is kept from the auditor

    When: the final status, after back-off, is 401, 403, 407 or 429, or the final answer is
    the challenge of a bot protection that says so in a header (cf-mitigated,
    x-amzn-waf-action), whatever its status. What the page says could then not be known.

    Why: It may be only this auditor that is kept out; if engines are too, the page drops
    out of their index.

    Fix: Check with the engines' own tools that they get 200, and let the auditor in.
    """

    severity = Severity.WARNING
    message = "{ending} {status}{note}: what it says could not be known"
    references = (GOOGLE_HTTP,)

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending, urls.final_status as status,
            coalesce(' (' || final.challenge || ')', '') as note
        from urls left join pages as final on final.url = urls.final_url
        where urls.final_status in (401, 403, 407, 429) or final.challenge is not null
    """
