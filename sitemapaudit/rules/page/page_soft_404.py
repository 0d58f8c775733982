from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_HTTP, GOOGLE_JAVASCRIPT, PRACTICE


class PageSoft404(Query):
    """A listed page looks like one that is not there

    When: the answer is 2xx, and title or h1 says that something was not found while the main
    text has fewer than 150 words; or the main text is empty; or it is that of the answer to a
    random address of the host that cannot exist, by hash or by an estimate of at least 95 %
    common sequences of three words, where that address answers 200. The home page is not
    compared. Or at least five listed URLs of one origin, with two or more path segments,
    redirect to the home page of the host: then each of these. A page without text that runs
    scripts may have its text from them: its verdict stays as it is. Where a browser rendered the
    page, what it showed is judged in place of the HTML. A body without a single byte is
    page-status-unusual.

    Why: Engines take such a page for an error page, and drop it; each visit to it is wasted.

    Fix: Answer 404 or 410 for what is gone, or give the page its content, in HTML.
    """

    severity = Severity.WARNING
    message = "{problem}"
    references = (
        GOOGLE_HTTP,
        GOOGLE_JAVASCRIPT,
        PRACTICE,
    )

    query = """
        with homeward as (
            select url, origin_of(url) as origin, final_url
            from urls
            where hops > 0 and final_url = origin_of(final_url) || '/'
                and bare_host_of(final_url) = bare_host_of(url)
                and regexp_matches(url, '^https?://[^/]+/[^/?]+/[^/?]')
        )
        select url, case
                when rendered_verdict is null then soft_404
                when rendered_verdict <> 'redirected' then rendered_soft_404 end as problem
        from pages
        where problem is not null and error is null and bytes > 0
        union all
        select url, 'its main text is that of ' || probe || ', a random address ('
            || round(100 * similarity)::int || ' % alike)' from soft_404s
        union all
        select url, 'redirects to the home page, as ' || (number - 1)
            || ' other listed URLs of the site do'
        from homeward
        join (select origin, count(*) as number from homeward group by origin) using (origin)
        where number >= 5
    """
