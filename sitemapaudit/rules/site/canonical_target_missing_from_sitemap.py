from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import CANONICALIZED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD


class CanonicalTargetMissingFromSitemap(QueryRule):
    """Canonical URL of a listed page is not in any sitemap

    When: a listed page declares another URL of the same host as its canonical, and no sitemap lists
    that URL. A leading `www.`, the scheme and the port are ignored when the hosts are compared.
    This is not reported unless the audit searched for the sitemaps of the site and could read all
    of them. Nor is it reported if the canonical returns an error, cannot be fetched, redirects, is
    noindex or is canonicalized to yet another URL: then the canonical itself needs fixing.

    Why: A sitemap should list canonical URLs. Here it lists the duplicate and not the original.

    Fix: List the canonical URL instead of the page.
    """

    severity = Severity.WARNING
    message = "is canonicalized to {canonical}, which no sitemap lists"
    cause = "are canonicalized to URLs that no sitemap lists"
    about_sitemaps = True
    references = (GOOGLE_BUILD,)

    needs = (CANONICALIZED,)
    query = """
        select urls.url, urls.canonical
        from urls
        anti join urls as listed on listed.url = urls.canonical
        left join pages as target on target.url = urls.canonical
        where urls.verdict = 'canonicalized'
            and origin_of(urls.canonical) not in (select origin from incomplete_origins)
            and host_without_www(urls.canonical) = host_without_www(urls.url)
            and coalesce(target.verdict, 'unchecked')
                in ('indexable', 'unchecked', 'blocked', 'denied')
    """
