from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import FRAGMENTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, GOOGLE_URLS


class LocFragment(QueryRule):
    """loc has a fragment

    When: a loc with a valid URL contains a `#`, even if the fragment after it is empty. Entries of
    a sitemap that differ only by their fragments, such as the routes of an application, are one
    finding.

    Why: A fragment is never sent to the server. Search engines ignore it, so such entries are one
    page for them.

    Fix: Remove the fragment, and keep one entry. If the fragments are routes of an application,
    give each route its own path, with the History API.
    """

    severity = Severity.WARNING
    message = "{problem}: {fragments}"
    cause = "have a loc with a fragment"
    references = (GOOGLE_URLS, GOOGLE_CANONICAL)

    needs = (FRAGMENTS,)
    query = """
        select url, sitemap, min(position) as position, count(*) as count,
            if(
                count(*) = 1, 'loc has a fragment',
                format('{:,} entries differ only by their fragments, ', count(*))
                    || 'and are one page for search engines'
            ) as problem,
            array_to_string(list(fragment order by position)[1:5], ', ')
                || if(count(*) > 5, ' …', '') as fragments
        from (
            select url, sitemap, position, regexp_extract(trimmed(loc), '(?s)#.*') as fragment
            from entries
            where contains(loc, '#') and url is not null
        )
        group by url, sitemap
    """
