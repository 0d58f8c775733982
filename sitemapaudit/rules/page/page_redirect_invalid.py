from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REDIRECTS_NOWHERE
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import RFC_9110


class PageRedirectInvalid(QueryRule):
    """Listed URL redirects without a valid Location

    When: the last known response, of the URL itself or at the end of its redirects, is 301,
    302, 303, 307 or 308, and its Location is missing, cannot be parsed, or has a scheme other
    than http and https. If this is the response of the URL itself, only this rule reports it.

    Why: Neither browsers nor engines can follow it.

    Fix: Correct the Location header.
    """

    severity = Severity.ERROR
    message = "{response} {status} with {problem}"
    references = (RFC_9110,)

    needs = (REDIRECTS_NOWHERE,)
    query = """
        select urls.url, response_phrase(urls.hops, urls.final_url) as response,
            urls.final_status as status, final.location,
            if(
                regexp_full_match(coalesce(final.location, ''), '[[:space:]]*'), 'no Location',
                'the invalid Location ''' || final.location || ''''
            ) as problem
        from urls join pages as final on final.url = urls.final_url
        where urls.final_status in (301, 302, 303, 307, 308)
            and final.target is null and final.challenge is null
    """
