from sitemapaudit.items import Role, Severity, Verdict
from sitemapaudit.rules.needs import CANONICALIZED, EXTENT, FOLLOWS_CANONICALS, Choice
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD


class UnlistedCanonicalTarget(QueryRule):
    """Canonical of unlisted pages is in no sitemap

    When: fetched pages that no sitemap lists (something redirects or links to them) declare as
    their canonical an indexable page of the site, and no sitemap lists that page either. This is
    not reported if a listed page declares the same canonical
    (canonical-target-missing-from-sitemap), if pages link to the canonical itself
    (unlisted-indexable), or if it is a file of a build (built-not-listed). If a sitemap that was
    not read may list the canonical, the finding is a notice that says so.

    Why: A sitemap should list canonical URLs. Here neither the duplicate nor the original is
    listed, and no link leads to the original.

    Fix: List the canonical, and link to it rather than to its duplicates.
    """

    severity = Severity.WARNING
    message = (
        "is the canonical of {pages}, such as {example}, and no sitemap {_read}lists it{_doubt}"
    )
    cause = "are the canonicals of other pages, and no sitemap {_read}lists them"
    about_sitemaps = True
    references = (GOOGLE_BUILD,)

    depends_on = (Choice("links", str), FOLLOWS_CANONICALS, *EXTENT)
    needs = (CANONICALIZED,)
    query = f"""
        with declared as (
            select canonical as url, url as example
            from pages
            where verdict = '{Verdict.CANONICALIZED}' and canonical <> url
                and role not in ('{Role.LISTED}', '{Role.PROBE}')
        ), linked as (
            select link_nodes.url from link_nodes join inlinks using (id)
        )
        select url, count_noun(count(*), 'page') as pages,
            min(example) as example, doubt is null as certain,
            if(doubt is null, '{Severity.WARNING}', '{Severity.NOTICE}') as severity,
            if(doubt is null, '', 'that was read ') as _read,
            coalesce('; ' || doubt, '') as _doubt
        from declared
        semi join (
            select url from pages
            where verdict = '{Verdict.INDEXABLE}' and file is null
                and role not in ('{Role.LISTED}', '{Role.PROBE}')
        ) as unlisted using (url)
        anti join (
            select canonical as url from urls where verdict = '{Verdict.CANONICALIZED}'
        ) as reported using (url)
        anti join linked using (url)
        left join incomplete_origins on origin = origin_of(url)
        where host_of(url) in (from site_hosts)
        group by url, doubt
    """
