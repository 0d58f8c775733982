from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import ALTERNATES
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HREFLANG


class HreflangSelfMissing(QueryRule):
    """hreflang alternates do not include the URL itself

    When: an entry, the HTML of a listed page or its headers declare alternates with valid URLs, and
    none of them, whatever its code, is the URL itself, normalized.

    Why: Each version must list every version, itself included. Otherwise engines may drop the
    group.

    Fix: Add an alternate for the URL itself.
    """

    severity = Severity.WARNING
    message = "is not among its own alternates ({source}: {count})"
    cause = "are not among their own alternates ({source})"
    references = (GOOGLE_HREFLANG,)

    needs = ALTERNATES
    query = """
        select url, sitemap, position, source, count(*) as count
        from alternates semi join urls using (url)
        where target is not null
        group by url, sitemap, position, source
        having not bool_or(target = url)
    """
