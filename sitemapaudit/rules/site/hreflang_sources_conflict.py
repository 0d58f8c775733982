from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ALTERNATES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangSourcesConflict(QueryRule):
    """Sitemap, HTML and headers declare different alternates

    When: two of the three sources of a URL declare the same code, with different URLs. The letter
    case of the code is ignored.

    Why: Engines treat the three sources as equal, and drop both sides of a conflict.

    Fix: Keep one source.
    """

    severity = Severity.WARNING
    message = "declares different alternates for `{code}`: {alternates}"
    cause = "declare different alternates for `{code}`"
    references = (GOOGLE_HREFLANG,)

    needs = ALTERNATES
    query = """
        with declared as not materialized (
            select url, source, code, target
            from alternates
            where target is not null
        ), several as (
            select url from declared group by url having min(source) <> max(source)
        ), by_source as (
            select url, code, source, list_sort(list(distinct target)) as targets
            from declared semi join several using (url) semi join urls using (url)
            group by url, code, source
        )
        select url, code,
            string_agg(source || ' ' || array_to_string(targets, ' '), ', ' order by source)
                as alternates
        from by_source
        group by url, code
        having count(distinct targets) > 1
    """
