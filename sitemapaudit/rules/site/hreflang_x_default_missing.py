from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ALTERNATES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangXDefaultMissing(QueryRule):
    """hreflang alternates have no x-default

    When: an entry, the HTML of a listed page or its headers declare alternates for at least two
    codes, and none of them is x-default. Letter case is ignored.

    Why: Engines do not know which version to show to speakers of other languages. x-default is
    recommended, but not required.

    Fix: Add an alternate with hreflang="x-default".
    """

    severity = Severity.NOTICE
    message = "declares alternates for {codes} codes but not for `x-default` ({source})"
    cause = "declare alternates, but not for `x-default` ({source})"
    references = (GOOGLE_HREFLANG,)

    needs = ALTERNATES
    query = """
        select url, sitemap, position, source, count(distinct code) as codes
        from alternates semi join urls using (url)
        group by url, sitemap, position, source
        having count(distinct code) > 1
            and not bool_or(code = 'x-default')
    """
