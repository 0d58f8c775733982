from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import SOFT_404S
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_HTTP, GOOGLE_JAVASCRIPT, PRACTICE


class PageSoft404(QueryRule):
    """Listed page is a soft 404

    When: the response is 2xx, and the title or h1 says that something was not found while the main
    text has fewer than 150 words; or the main text is empty; or a random URL of the host, which
    cannot exist, returns 200 with the same main text, by hash, or with an estimated 95 % or more of
    the three-word sequences in common. The home page is not compared with the random URL. Or at
    least five listed URLs of one origin, with two or more path segments, redirect to the home page
    of the host: then each of them is reported. A page without text that runs scripts is not
    reported, because its text may come from them: the report counts such pages. If a browser
    rendered the page, the rendered page is checked in place of the HTML. A body of zero bytes is
    reported by page-status-unusual.

    Why: Engines treat such a page as an error page and drop it. Each visit to it is wasted.

    Fix: Return 404 or 410 for a page that is gone, or put the content of the page into the
    HTML.
    """

    severity = Severity.WARNING
    message = "{problem}"
    cause = "are soft 404s ({_cause})"
    references = (
        GOOGLE_HTTP,
        GOOGLE_JAVASCRIPT,
        PRACTICE,
    )

    compares_pages = True
    needs = SOFT_404S
    query = """
        with home_redirects as (
            select url, origin_of(url) as origin, final_url
            from urls
            where hops > 0 and final_url = origin_of(final_url) || '/'
                and host_without_www(final_url) = host_without_www(url)
                and regexp_matches(url, '^https?://[^/]+/[^/?]+/[^/?]')
        )
        select url, case
                when rendered_verdict is null then soft_404
                when rendered_verdict <> 'redirected' then rendered_soft_404 end as problem,
            regexp_replace(problem, ', and its main text has .*$', '') as _cause
        from pages
        where problem is not null and error is null and bytes > 0
            and not (rendered_verdict is null and coalesce(words = 0 and scripts > 0, false))
        union all
        select url, 'has the same main text as the random URL ' || probe || ' ('
            || percent(similarity) || ' similar)',
            'they have the same main text as the random URL ' || probe
        from soft_404s
        union all
        select url, 'redirects to the home page, as do ' || (redirects - 1)
            || ' other listed URLs of the site', 'they redirect to the home page'
        from home_redirects
        join (
            select origin, count(*) as redirects from home_redirects group by origin
        ) using (origin)
        where redirects >= 5
    """
