from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD


class UnlistedIndexable(QueryRule):
    """Linked page is in no sitemap

    When: links were recorded (``links=record``), and an HTML page on a host of the site was fetched
    that is indexable, that other pages link to, and that no sitemap lists. If a sitemap that was
    not read may list it, the finding is a notice that says so. Nothing is reported for a build
    folder: built-not-listed reports its pages.

    Why: The page can be found, so its owner wants it to be found, but the sitemap does not help.
    Search engines find it, and its changes, later than they could.

    Fix: List the page, or mark it with noindex if it must not be found.
    """

    severity = Severity.WARNING
    message = "is linked by {pages} and indexable, and no sitemap {_read}lists it{_doubt}"
    cause = "are linked and indexable, and no sitemap {_read}lists them"
    about_sitemaps = True
    references = (GOOGLE_BUILD,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = f"""
        select url, count_noun(inlinks, 'page') as pages, certain,
            if(certain, '{Severity.WARNING}', '{Severity.NOTICE}') as severity,
            if(certain, '', 'that was read ') as _read,
            coalesce('; ' || doubt, '') as _doubt
        from unlisted_pages
        left join incomplete_origins on origin = origin_of(url)
        where url not in (select url from pages where file is not null)
    """
