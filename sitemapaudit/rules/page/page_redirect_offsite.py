from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REDIRECTS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class PageRedirectOffsite(QueryRule):
    """Listed URL redirects to another host or to http

    When: the last URL of the redirect chain, fetched or not, is on another host
    (www.example.com and example.com are different hosts): warning. From https to http: error,
    even on the same host. A loop has no last URL.

    Why: A sitemap covers its own host, and should not list the content of another host. A
    redirect to http gives up the protection of https.

    Fix: Remove the entry, or redirect within the site, to https.
    """

    severity = Severity.ERROR
    message = "redirects to {final_url} ({problem})"
    references = (GOOGLE_CANONICAL,)

    needs = (REDIRECTS,)
    query = """
        select url, final_url,
            case when downgrade then 'from https to http' else 'another host' end as problem,
            case when downgrade then 'error' else 'warning' end as severity
        from (
            select url, final_url, host_of(url) <> host_of(final_url) as offsite,
                url like 'https:%' and final_url like 'http:%' as downgrade
            from urls
            where hops > 0 and not redirect_loop
        )
        where offsite or downgrade
    """
