from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE


class LastmodIdentical(Query):
    """Nearly all URLs have the same lastmod

    When: one value is that of at least 90 % of the valid lastmods of a sitemap, of which
    there are at least 10; at least 50 if the value is a date without a time. The same for all
    sitemaps of a site together, those apart that are found by themselves. The message says if
    the value is the time at which the file was made: within five minutes of the fetch, of its
    Last-Modified header or of its lastmod in the index; of a date, if one of these is on it.

    Why: Pages seldom change all at once: such dates are mostly those of a build, and engines
    that see through them ignore every lastmod of the site.

    Fix: Write for each page the date of its own last change, or none.
    """

    severity = Severity.WARNING
    message = "gives {same} of {dated} URLs the lastmod {lastmod}{made}"
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    query = """
        with dated as not materialized (
            select sitemap, lastmod, lastmod_at
            from entries
            where lastmod_at is not null and kind <> 'sitemapindex'
        ), totals as (
            select sitemap, origin_of(sitemap) as site, count(*) as dated
            from dated
            group by sitemap
        ), frequent as (
            select lastmod_at from dated group by lastmod_at having count(*) >= 9
        ), counted as (
            select sitemap, lastmod_at, count(*) as same,
                bool_or(not contains(lastmod, ':')) as daily
            from dated semi join frequent using (lastmod_at)
            group by sitemap, lastmod_at
        ), by_file as (
            select null as url, sitemap, dated, same, lastmod_at, daily
            from counted join totals using (sitemap)
            where same >= 0.9 * dated and dated >= if(daily, 50, 10)
        ), others as (
            from totals anti join by_file using (sitemap)
        ), by_site as (
            select site || '/' as url, min(sitemap) as sitemap, any_value(number) as dated,
                sum(same) as same, lastmod_at, bool_or(daily) as daily
            from counted join others using (sitemap)
            join (select site, sum(dated) as number from others group by site) using (site)
            group by site, lastmod_at
            having sum(same) >= 0.9 * any_value(number)
                and any_value(number) >= if(bool_or(daily), 50, 10)
        ), judged as (
            from by_file union all from by_site
        ), indexed as (
            select url as sitemap, max(lastmod_at) as indexed_at
            from entries
            where kind = 'sitemapindex'
            group by url
        )
        select judged.url, judged.sitemap, same::bigint as same, dated::bigint as dated,
            strftime(lastmod_at, if(daily, '%Y-%m-%d', '%Y-%m-%dT%H:%M:%SZ')) as lastmod,
            if(
                list_bool_or([
                    if(
                        daily, date_trunc('day', moment) = lastmod_at,
                        abs(epoch(moment) - epoch(lastmod_at)) <= 300
                    )
                    for moment in [fetched_at, last_modified, indexed_at]
                    if moment is not null
                ]),
                ', which is when the file was made', ''
            ) as made
        from judged
        left join sitemaps using (sitemap)
        left join indexed using (sitemap)
    """
