from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import REPEATED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class LastmodDisagrees(QueryRule):
    """URL is listed with different lastmods

    When: two entries with the same normalized loc have valid lastmods that differ at the coarser
    precision of the two, which is seconds at the finest. A date, or a time without a zone, differs
    from a time with a zone only if it differs in every zone of the world, from UTC-12 to UTC+14.
    The dates of feeds do not count: they say when an item was published.

    Why: At most one of them is true. Engines that find lastmods untrue ignore all of them.

    Fix: Write one value: the date when the page itself last changed.
    """

    severity = Severity.WARNING
    message = "is listed with different lastmods: {lastmods}"
    cause = "are listed with different lastmods"
    about_sitemaps = True
    references = (PRACTICE,)

    needs = (REPEATED,)
    query = """
        with dated as (
            select url, sitemap, position, trimmed(lastmod) as lastmod,
                date_trunc('second', lastmod_at) as first,
                length(regexp_extract(
                    lastmod, '^\\W*(\\d{4}(-\\d\\d(-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d)?)?)?)?)', 1
                )) as digits
            from entries semi join (select url from urls where listings > 1) using (url)
            where lastmod_at is not null and kind not in ('sitemapindex', 'rss', 'atom')
        ), spans as (
            select url, sitemap, position, lastmod, first,
                first + case digits
                    when 4 then interval 1 year
                    when 7 then interval 1 month
                    when 10 then interval 1 day
                    when 16 then interval 1 minute
                    else interval 1 second
                end as last,
                digits = 0 or regexp_matches(lastmod, 'T.*(Z|[+-]\\d\\d:\\d\\d)\\W*$') as zoned
            from dated
        )
        select url, min(sitemap) as sitemap,
            arg_min(position, (sitemap, position)) as position,
            array_to_string(list_sort(list(distinct lastmod))[1:5], ', ')
                || if(count(distinct lastmod) > 5, ' …', '') as lastmods
        from spans
        group by url
        having max(first) filter (zoned) >= min(last) filter (zoned)
            or max(first) filter (not zoned) >= min(last) filter (not zoned)
            or max(first) filter (zoned) >= min(last) filter (not zoned) + interval 12 hours
            or min(last) filter (zoned) <= max(first) filter (not zoned) - interval 14 hours
    """
