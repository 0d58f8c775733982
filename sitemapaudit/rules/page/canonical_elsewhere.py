from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import CANONICALIZED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, GOOGLE_CANONICAL


class CanonicalElsewhere(QueryRule):
    """Listed page is canonicalized to another URL

    When: the page at the final URL (the URL itself, or the end of its redirects) returns 2xx,
    all its usable canonicals name one URL, and that URL, normalized, is not the final URL. The
    finding is on the listed URL.

    Why: A sitemap should list canonical URLs, but the page itself declares that this URL is
    not canonical.

    Fix: List the canonical URL, or correct the canonical.
    """

    severity = Severity.ERROR
    message = "{redirect}is canonicalized to {canonical} by {source}"
    references = (
        GOOGLE_CANONICAL,
        GOOGLE_BUILD,
    )

    needs = (CANONICALIZED,)
    query = """
        select urls.url,
            if(urls.hops = 0, '', 'redirects to ' || urls.final_url || ', which ') as redirect,
            final.canonical, case final.canonical_source
                when 'tag' then 'a tag'
                when 'header' then 'a Link header'
                else 'a tag and a Link header' end as source
        from urls join pages as final on final.url = urls.final_url
        where final.canonical <> final.url
    """
