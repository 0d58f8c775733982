from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import MANY_LASTMODS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import BING, GOOGLE_BUILD, PRACTICE


class LastmodIdentical(QueryRule):
    """Nearly all URLs have the same lastmod

    When: one value makes up at least 90 % of the valid lastmods of a sitemap. The sitemap must have
    at least 10 of them, or at least 50 if the value is a date without a time. The same is checked
    for each site, over all its sitemaps that are not reported on their own. Entries with a news
    element do not count: news appear together. The message says if the value is the time when the
    file was generated: within five minutes of the fetch, of its Last-Modified header or of its
    lastmod in the index, or, for a date, on the day of one of these.

    Why: Pages rarely change all at the same time. Such dates usually come from a build, and engines
    that notice ignore every lastmod of the site.

    Fix: Write the date when each page itself last changed, or omit lastmod.
    """

    severity = Severity.WARNING
    message = "{same} of {dated} URLs have the lastmod {lastmod}{note}"
    about_sitemaps = True
    references = (GOOGLE_BUILD, PRACTICE, BING)

    needs = (MANY_LASTMODS,)
    query = """
        with dated as not materialized (
            select sitemap, lastmod, lastmod_at
            from entries
            where lastmod_at is not null and kind <> 'sitemapindex' and coalesce(len(news), 0) = 0
        ), totals as (
            select sitemap, origin_of(sitemap) as site, count(*) as dated
            from dated
            group by sitemap
        ), frequent as (
            select lastmod_at from dated group by lastmod_at having count(*) >= 9
        ), counted as (
            select sitemap, lastmod_at, count(*) as same,
                bool_or(not contains(lastmod, ':')) as is_date
            from dated semi join frequent using (lastmod_at)
            group by sitemap, lastmod_at
        ), by_file as (
            select null as url, sitemap, dated, same, lastmod_at, is_date
            from counted join totals using (sitemap)
            where same >= 0.9 * dated and dated >= if(is_date, 50, 10)
        ), others as (
            from totals anti join by_file using (sitemap)
        ), by_site as (
            select site as url, min(sitemap) as sitemap, any_value(total) as dated,
                sum(same) as same, lastmod_at, bool_or(is_date) as is_date
            from counted join others using (sitemap)
            join (select site, sum(dated) as total from others group by site) using (site)
            group by site, lastmod_at
            having sum(same) >= 0.9 * any_value(total)
                and any_value(total) >= if(bool_or(is_date), 50, 10)
        ), identical as (
            from by_file union all from by_site
        ), indexed as (
            select url as sitemap, max(lastmod_at) as indexed_at
            from entries
            where kind = 'sitemapindex'
            group by url
        )
        select identical.url, identical.sitemap, same::bigint as same, dated::bigint as dated,
            strftime(
                identical.lastmod_at, if(is_date, '%Y-%m-%d', '%Y-%m-%dT%H:%M:%SZ')
            ) as lastmod,
            if(
                list_bool_or([
                    if(
                        is_date, date_trunc('day', moment) = identical.lastmod_at,
                        abs(epoch(moment) - epoch(identical.lastmod_at)) <= 300
                    )
                    for moment in [sitemaps.fetched_at, sitemaps.last_modified, indexed.indexed_at]
                    if moment is not null
                ]),
                ', which is when the file was generated', ''
            ) as note
        from identical
        left join sitemaps using (sitemap)
        left join indexed using (sitemap)
    """
