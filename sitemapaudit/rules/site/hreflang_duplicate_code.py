from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ALTERNATES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangDuplicateCode(QueryRule):
    """Several alternates have the same hreflang code

    When: an entry, the HTML of a listed page or its headers declare two or more different URLs,
    normalized, for one code. The letter case of the code is ignored.

    Why: Engines do not know which one is meant, and drop both.

    Fix: Keep one.
    """

    severity = Severity.ERROR
    message = "declares {count} alternates for `{code}` ({source}): {alternates}"
    cause = "declare {count} alternates for `{code}` ({source})"
    references = (GOOGLE_HREFLANG,)

    needs = ALTERNATES
    query = """
        select url, sitemap, position, source, code,
            count(distinct target) as count,
            array_to_string(list_sort(list(distinct target))[1:5], ', ') as alternates
        from alternates semi join urls using (url)
        where target is not null
        group by url, sitemap, position, source, code
        having count(distinct target) > 1
    """
