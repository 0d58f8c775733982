from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import DENIED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP


class PageAccessDenied(QueryRule):
    """Listed URL denies access (401, 403, 407 or 429)

    When: the final status, after back-off, is 401, 403, 407 or 429; or the final response,
    with any status, is a bot challenge that a header identifies (cf-mitigated, sg-captcha,
    x-amzn-waf-action), or a page of Imperva without text. The content of the page is then unknown.

    Why: It may be that only this auditor is denied access. If engines are too, the page drops
    out of their index.

    Fix: Check with the engines' own tools that they get 200, and give the auditor access.
    """

    severity = Severity.WARNING
    message = "{response} {status}{note}: its content is unknown"
    references = (GOOGLE_HTTP,)

    needs = (DENIED,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_status as status, coalesce(' (' || final.challenge || ')', '') as note
        from urls left join pages as final on final.url = urls.final_url
        where urls.final_status in (401, 403, 407, 429) and final.file is null
            or final.challenge is not null
    """
