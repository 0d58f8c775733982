from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangXDefaultMissing(Query):
    """Alternates have no x-default

    When: an entry, the HTML of a listed page or its headers name alternates for at least two
    codes, and none is x-default; letter case does not count.

    Why: Engines do not know which version is for speakers of any other language. It is
    recommended, and not demanded.

    Fix: Add an alternate with hreflang="x-default".
    """

    severity = Severity.NOTICE
    message = "names alternates for {codes} codes ({source}), and no x-default"
    references = (GOOGLE_HREFLANG,)

    query = """
        select url, sitemap, position, source, count(distinct code) as codes
        from alternates semi join urls using (url)
        group by url, sitemap, position, source
        having count(distinct code) > 1
            and not bool_or(code = 'x-default')
    """
