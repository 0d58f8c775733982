from typing import Final

from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import NO_SITEMAP
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP

HIDDEN: Final = """
    len(well_known_tried) = 0 or coalesce(robots.status in (401, 403, 407), false)
    or regexp_matches(
        array_to_string(coalesce(well_known_outcomes, []), ' '), '40[137]|429|5[0-9][0-9]|[a-z]'
    )
"""
"""The condition for a site that may have a hidden sitemap."""


class SitemapUnknown(QueryRule):
    """Unknown whether the site has a sitemap

    When: robots.txt of an audited site declares no sitemap, or denies access to it (401, 403, 407);
    no well-known URL has one, and robots.txt or one of these URLs denies access or fails, or
    robots.txt disallows all of them. The message lists the URLs that were tried, and what each
    returned.

    Why: The site may have a sitemap that is kept from this auditor. If engines are denied access
    too, they learn nothing from it.

    Fix: Let the auditor in, or pass the URL of the sitemap to the audit.
    """

    severity = Severity.WARNING
    message = "may have a sitemap that is hidden from this audit: {tried}"
    about_sitemaps = True
    references = (GOOGLE_HTTP,)

    needs = (NO_SITEMAP,)
    query = f"""
        select site as url, if(
            len(well_known_tried) = 0,
            'robots.txt declares none' || if(len(sitemaps) = 0, '', ' that can be fetched')
                || ', and disallows the usual places',
            array_to_string(list_transform(
                list_zip(
                    ['robots.txt'] || well_known_tried,
                    [coalesce(robots.status::varchar, robots.error)]
                        || coalesce(well_known_outcomes, [])
                ),
                lambda each: format('{{}} ({{}})', each[1], coalesce(each[2], 'unknown'))
            ), ', ')
        ) as tried
        from robots
        where audited and well_known_tried is not null and well_known_found = 0 and ({HIDDEN})
    """
