from __future__ import annotations

from typing import Final

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Comparing
from sitemapaudit.rules.sources import PRACTICE

LEAST: Final = 10
"""Entries fewer from which on it is told."""
SHARE: Final = 0.2
"""The share of the earlier entries from which on it is told."""


class SitemapChangedSharply(Comparing):
    """Between two runs, a sitemap has gone or lost many of its entries

    When: a comparison finds that a sitemap which had entries in the earlier run answers 404
    or 410 in the later one, or is no longer there: no index and no robots.txt names it, or it
    is not where it was found without being named. Or it has at least 20 % and at least 10
    entries fewer. Nothing is said where the later run could not know: it was stopped, met a
    limit or was asked for other files; the file, or the robots.txt or index that named it, or a
    new one on its host, was not read without fault. Of an index that has gone, the files that
    it listed are not told; nor is a list of URLs that became an index.

    Why: Engines forget slowly what is no longer listed. Mostly a deployment or an export broke,
    and nobody saw it.

    Fix: See what the last deployment did to the sitemaps. If the change is meant, there is
    nothing to mend.
    """

    severity = Severity.WARNING
    message = "listed {before} entries in the earlier run, and {outcome}"
    references = (PRACTICE,)

    query = f"""
        with sound as not materialized (
            from new.sitemaps
            where error is null and complete and not cut and fault is null and gzip_fault is null
                and kind not in ('html', 'unknown') and coalesce(status, 200) between 200 and 299
        ), lost as not materialized (
            from new.sitemaps where status in (404, 410)
        ), known as (
            -- Read, by itself or where it redirects to.
            select sitemap from new.sitemaps
            where sitemap in (select sitemap from sound)
                or coalesce(final_url, '') in (select sitemap from sound)
        ), unclear as (
            -- Hosts with a file that may be an index, and is not known.
            select origin_of(sitemap) as origin
            from new.sitemaps
            where sitemap not in (from known) and sitemap not in (select sitemap from lost)
                and (
                    sitemap in (select sitemap from old.sitemaps where kind = 'sitemapindex')
                    or (source <> 'index' and sitemap not in (select sitemap from old.sitemaps))
                )
        ), declared as (
            select site, line.url as sitemap
            from new.robots, unnest(sitemaps) as lines(line)
            where line.url is not null
        ), searched as (
            -- Hosts of which all that robots.txt declares was asked for, or else the usual places.
            select site, tried
            from new.robots
            where permission in ('rules', 'all') and site not in (from unclear)
                and (tried is not null or site in (select site from declared))
                and site not in (
                    select site from declared
                    where sitemap not in (select sitemap from new.sitemaps)
                )
        ), named as (
            -- Who named a sitemap in the earlier run; known if we know what its host names now.
            select line.url as sitemap, site in (select site from searched) as known
            from old.robots, unnest(sitemaps) as lines(line)
            union all
            select url, sitemap in (from known) and origin_of(sitemap) not in (from unclear)
            from old.entries
            where kind = 'sitemapindex'
        ), absent as (
            from old.sitemaps
            where sitemap not in (select sitemap from new.sitemaps)
                and sitemap not in (
                    select final_url from new.sitemaps where final_url is not null
                )
                and source <> 'given' and not (select stopped from new.run)
        ), gone as (
            select sitemap, 'answers ' || status || ' now' as outcome
            from lost
            union all
            select sitemap, 'no robots.txt and no index names it now'
            from absent join named using (sitemap)
            group by sitemap
            having bool_and(known)
            union all
            select sitemap, 'there is no sitemap at its address now'
            from absent
            where source = 'well-known' and sitemap in (select unnest(tried) from searched)
                and sitemap not in (select sitemap from named where sitemap is not null)
        )
        select sitemap, before.entries as before, null as after, outcome
        from gone join old.sitemaps as before using (sitemap)
        where before.entries > 0
        union all
        select sitemap, before.entries, after.entries,
            'lists ' || after.entries || ' now, '
                || (100 * (before.entries - after.entries) // before.entries) || ' % fewer'
        from old.sitemaps as before join sound as after using (sitemap)
        where before.entries - after.entries >= {LEAST}
            and before.entries - after.entries >= {SHARE} * before.entries
            and (before.kind = 'sitemapindex') = (after.kind = 'sitemapindex')
    """
