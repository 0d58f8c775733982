from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangSourcesConflict(Query):
    """Sitemap, HTML and header name different alternates for a language

    When: two of the three sources of a URL name a code (case apart), and not the same
    addresses for it.

    Why: The three ways are equal to engines, and of a conflict they drop both sides.

    Fix: Keep one source.
    """

    severity = Severity.WARNING
    message = "names different alternates for {code}: {addresses}"
    references = (GOOGLE_HREFLANG,)

    query = """
        with stated as not materialized (
            select url, source, code, target
            from alternates
            where target is not null
        ), several as (
            select url from stated group by url having min(source) <> max(source)
        ), named as (
            select url, code, source, list_sort(list(distinct target)) as targets
            from stated semi join several using (url) semi join urls using (url)
            group by url, code, source
        )
        select url, code,
            string_agg(source || ' ' || array_to_string(targets, ' '), ', ' order by source)
                as addresses
        from named
        group by url, code
        having count(distinct targets) > 1
    """
