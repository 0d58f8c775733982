from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import NO_SITEMAP
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.site.sitemap_unknown import HIDDEN
from sitemapaudit.rules.sources import GOOGLE_OVERVIEW


class SitemapNotFound(QueryRule):
    """Site has no sitemap

    When: the robots.txt of an audited site allows something or is missing, and declares no sitemap
    that can be fetched; and none of the well-known URLs that it allows has a known format. The
    message lists the URLs that were tried. If one of them denies access or fails, or if robots.txt
    denies access or disallows all of them, sitemap-unknown reports that instead.

    Why: Engines find pages only through links. A site of up to about 500 well-linked pages may not
    need a sitemap.

    Fix: Publish a sitemap and declare it in robots.txt, or pass its URL to the audit.
    """

    severity = Severity.WARNING
    message = "has no sitemap: robots.txt {declares}, and none was found at {tried}"
    about_sitemaps = True
    references = (GOOGLE_OVERVIEW,)

    needs = (NO_SITEMAP,)
    query = f"""
        select site as url, array_to_string(well_known_tried, ', ') as tried,
            if(len(sitemaps) = 0, 'declares none', 'declares none that can be fetched') as declares
        from robots
        where audited and well_known_tried is not null and well_known_found = 0
            and not ({HIDDEN})
    """
