from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import RFC_9110


class PageRedirectInvalid(Query):
    """A redirect of a listed URL leads nowhere

    When: the last answer known, of the URL itself or at the end of its redirects, is 301,
    302, 303, 307 or 308 with no Location, one that cannot be parsed, or one to a scheme
    other than http and https. Such a first answer is told by this rule alone.

    Why: Neither browsers nor engines can follow it.

    Fix: Correct the header.
    """

    severity = Severity.ERROR
    message = "{ending} {status} with {problem}"
    references = (RFC_9110,)

    query = """
        select urls.url, ending(urls.hops, urls.final_url) as ending,
            urls.final_status as status, final.location,
            if(
                regexp_full_match(coalesce(final.location, ''), '[[:space:]]*'), 'no Location',
                'the unusable Location ''' || final.location || ''''
            ) as problem
        from urls join pages as final on final.url = urls.final_url
        where urls.final_status in (301, 302, 303, 307, 308)
            and final.target is null and final.challenge is null
    """
