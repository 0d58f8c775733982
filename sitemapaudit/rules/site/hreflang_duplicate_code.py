from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangDuplicateCode(Query):
    """A language has several alternates

    When: an entry, the HTML of a listed page or its headers name at least two different
    addresses, normalised, for one code; letter case of the code does not count.

    Why: Engines cannot tell which one is meant, and drop both.

    Fix: Keep one.
    """

    severity = Severity.ERROR
    message = "names {number} addresses for {code} ({source}): {addresses}"
    references = (GOOGLE_HREFLANG,)

    query = """
        select url, sitemap, position, source, code,
            count(distinct target) as number,
            array_to_string(list_sort(list(distinct target))[1:5], ', ') as addresses
        from alternates semi join urls using (url)
        where target is not null
        group by url, sitemap, position, source, code
        having count(distinct target) > 1
    """
