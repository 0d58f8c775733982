from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REQUESTED_STAGING, STAGING
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE, PROTOCOL


class StagingOriginLeaked(QueryRule):
    """Staging uses its own address instead of that of the site

    When: the site is audited on staging (``staging=``), and an address that staging sends begins
    with the origin of staging: a ``Sitemap`` line of robots.txt, a loc, a canonical, an hreflang
    alternate, or a redirect of a server requested as the site (``AUDIT_STAGING_HOST=site``).

    Why: Deployed like this, the site sends crawlers to staging: they find no page there, or index
    it in addition to the site.

    Fix: Set the address of the site in the configuration that is deployed, not that of staging.
    """

    severity = Severity.ERROR
    message = "{what} names staging: {address}"
    references = (PROTOCOL, PRACTICE)

    depends_on = (REQUESTED_STAGING,)
    needs = (STAGING,)
    query = """
        with staging as materialized (
            select unnest(staging) as origin from run
        ), named as (
            select url, null as sitemap, null::bigint as position, 'robots.txt' as what,
                unnest(regexp_extract_all(text, 'https?://[^\\s#]+')) as address
            from robots
            where audited
            union all
            select null, sitemap, position, 'a loc', loc from entries
            union all
            select url, null, null, 'the canonical', canonical from pages
            union all
            select url, null, null, 'the redirect', target from pages
            union all
            select url, null, null, 'an alternate', unnest(alternates).url from pages
        )
        select url, sitemap, position, what, address
        from named join staging on origin_of(address) = staging.origin
        order by what, url, sitemap, position
    """
