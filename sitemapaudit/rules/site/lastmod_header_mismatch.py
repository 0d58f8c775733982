from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import EXTENT, LAST_MODIFIED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_BUILD, PRACTICE


class LastmodHeaderMismatch(QueryRule):
    """lastmod differs from the Last-Modified header of the page

    When: the page returns 2xx, and its Last-Modified header and the latest lastmod of its URL are
    more than 24 hours apart. If the lastmod is midnight UTC, which may be a date without a time,
    they must be more than one calendar day apart. This is not reported if the header is within five
    minutes of the response, which means that it is generated for each response; if a lastmod of the
    URL does not name a day; if the latest lastmod is the date of a feed, which says when an item
    was published; or if a bot challenge was returned instead of the page. If at least ten pages of
    an origin have the header, and at least 90 % of these headers are within one hour, the hour is
    that of a deployment: one finding for the origin says so, and the pages with it have none.

    Why: One of the two is untrue. Engines compare them with what they see.

    Fix: Find out which one is true. A template or a build may set either. If it is a deployment,
    configure the server to send the date of the content, or no Last-Modified.
    """

    severity = Severity.NOTICE
    message = "{problem}"
    about_sitemaps = True
    references = (
        GOOGLE_BUILD,
        PRACTICE,
    )

    depends_on = EXTENT
    needs = (LAST_MODIFIED,)
    query = """
        with without_day as (
            select url from entries
            where lastmod_at is not null and not contains(lastmod, ':') and lastmod not like '%-%-%'
        ), published as (
            select url, lastmod_at as lastmod from entries where kind in ('rss', 'atom')
        ), modified as (
            select urls.url, origin_of(urls.url) as origin, urls.lastmod, pages.last_modified
            from urls join pages using (url)
            where pages.status between 200 and 299 and pages.challenge is null
                and pages.redirect_kind is null and abs(
                epoch(pages.last_modified) - epoch(coalesce(pages.date, pages.fetched_at))
            ) > 300
        ), minutes as (
            select origin, date_trunc('minute', last_modified) as since, count(*) as pages
            from modified group by all
        ), hours as (
            select origin, since, sum(pages) over (
                partition by origin order by since
                range between current row and interval 59 minutes following
            )::bigint as deployed
            from minutes
        ), deployments as (
            select origin, arg_max(since, (deployed, since)) as since, max(deployed) as deployed,
                any_value(dated) as dated
            from hours join (
                select origin, count(*) as dated from modified group by origin
            ) as origins using (origin)
            where dated >= 10
            group by origin
            having max(deployed) >= 0.9 * any_value(dated)
        ), mismatches as (
            select url, origin, lastmod, last_modified
            from modified
            anti join without_day using (url) anti join published using (url, lastmod)
            where if(
                epoch(lastmod) % 86400 = 0,
                abs(floor(epoch(last_modified) / 86400) - epoch(lastmod) / 86400) > 1,
                abs(epoch(last_modified) - epoch(lastmod)) > 86400
            )
        ), texts as (
            select url, origin, last_modified as modified,
                strftime(lastmod, '%Y-%m-%dT%H:%M:%SZ') as lastmod,
                strftime(last_modified, '%Y-%m-%dT%H:%M:%SZ') as last_modified
            from mismatches
        ), deployed_pages as (
            select url, texts.origin, deployed, dated,
                strftime(since, '%Y-%m-%d %H:%M UTC') as hour
            from texts join deployments on deployments.origin = texts.origin
                and modified >= since and modified < since + interval 1 hour
        )
        select url, null as origin, lastmod, last_modified, null as pages, null as examples,
            'has the lastmod ' || lastmod || ', but its Last-Modified header is '
                || last_modified as problem
        from texts anti join deployed_pages using (url)
        union all
        select null, origin, null, hour, count(*), list(url order by url)[1:10],
            origin || ' sends a Last-Modified header of the hour from ' || hour || ' for '
                || format('{:,} of {:,} pages', deployed, dated)
                || format(', probably the time of a deployment: {:,} ', count(*))
                || if(count(*) = 1, 'has', 'have')
                || ' another lastmod, such as '
                || min(url)
        from deployed_pages
        group by origin, hour, deployed, dated
    """
