from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangSelfMissing(Query):
    """A URL names alternates, and not itself

    When: an entry, the HTML of a listed page or its headers name alternates with addresses,
    and none of them, whatever its code, is the URL itself, normalised.

    Why: Each version has to list every version, itself as well; else engines may drop the
    group.

    Fix: Add a link to itself.
    """

    severity = Severity.WARNING
    message = "names {alternates} alternates ({source}), and not itself"
    references = (GOOGLE_HREFLANG,)

    query = """
        select url, sitemap, position, source, count(*) as alternates
        from alternates semi join urls using (url)
        where target is not null
        group by url, sitemap, position, source
        having not bool_or(target = url)
    """
