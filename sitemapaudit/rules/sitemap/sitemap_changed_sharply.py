from typing import Final

from sitemapaudit import verdicts
from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import SHRUNK_SITEMAPS
from sitemapaudit.rules.rule import ComparisonRule
from sitemapaudit.rules.sources import PRACTICE

MIN_LOST: Final = 10
"""The minimum number of lost entries."""
MIN_SHARE: Final = 0.2
"""Their minimum share of the earlier entries."""


class SitemapChangedSharply(ComparisonRule):
    """Sitemap has disappeared or lost many entries between two runs

    When: a comparison finds that a sitemap that had entries in the earlier run returns 404 or 410
    in the later one, or is no longer there: no index and no robots.txt lists it, or it is no longer
    at the well-known URL where it was found. Or it lost at least 10 entries, and at least 20 % of
    all. This is not reported where the later run could not know: it was stopped, reached a limit or
    was given other files; or the file, the robots.txt or index that listed it, or a new file on its
    host was not read without errors. If an index has disappeared, the files that it listed are not
    reported. Neither is a list of URLs that became an index.

    Why: Engines are slow to forget URLs that are no longer listed. Usually a deployment or an
    export broke unnoticed.

    Fix: Check what the last deployment did to the sitemaps. If the change is intended, nothing
    needs fixing.
    """

    severity = Severity.WARNING
    message = "listed {_before} in the earlier run, and {outcome}"
    references = (PRACTICE,)

    needs = (SHRUNK_SITEMAPS,)
    query = f"""
        with readable as not materialized (
            from new.sitemaps where {verdicts.IS_READ_WHOLE}
        ), not_found as not materialized (
            from new.sitemaps where status in (404, 410)
        ), resolved as (
            -- Sitemaps that were read, directly or after a redirect.
            select sitemap from new.sitemaps
            where sitemap in (select sitemap from readable)
                or coalesce(final_url, '') in (select sitemap from readable)
        ), uncertain_origins as (
            -- Hosts with an unread file that may be an index.
            select origin_of(sitemap) as origin
            from new.sitemaps
            where sitemap not in (from resolved) and sitemap not in (select sitemap from not_found)
                and (
                    sitemap in (select sitemap from old.sitemaps where kind = 'sitemapindex')
                    or (source <> 'index' and sitemap not in (select sitemap from old.sitemaps))
                )
        ), declared as (
            select site, lines.line.url as sitemap
            from new.robots, unnest(sitemaps) as lines(line)
            where lines.line.url is not null
        ), searched_sites as (
            -- Hosts where all declared sitemaps were fetched, otherwise the well-known URLs.
            select site, well_known_tried
            from new.robots
            where permission in ('rules', 'all') and site not in (from uncertain_origins)
                and (well_known_tried is not null or site in (select site from declared))
                and site not in (
                    select site from declared
                    where sitemap not in (select sitemap from new.sitemaps)
                )
        ), previously_listed as (
            -- What listed a sitemap in the earlier run; known if we know what it lists now.
            select lines.line.url as sitemap, site in (select site from searched_sites) as known
            from old.robots, unnest(sitemaps) as lines(line)
            union all
            select url,
                sitemap in (from resolved) and origin_of(sitemap) not in (from uncertain_origins)
            from old.entries
            where kind = 'sitemapindex'
        ), absent as (
            from old.sitemaps
            where sitemap not in (select sitemap from new.sitemaps)
                and sitemap not in (
                    select final_url from new.sitemaps where final_url is not null
                )
                and source <> 'given' and not (select stopped from new.run)
        ), disappeared as (
            select sitemap, 'returns ' || status || ' now' as outcome
            from not_found
            union all
            select sitemap, 'no robots.txt or index lists it now'
            from absent join previously_listed using (sitemap)
            group by sitemap
            having bool_and(known)
            union all
            select sitemap, 'there is no sitemap at its URL now'
            from absent
            where source = 'well-known'
                and sitemap in (select unnest(well_known_tried) from searched_sites)
                and sitemap not in (select sitemap from previously_listed where sitemap is not null)
        )
        select sitemap, before.entries as before, null as after, outcome,
            count_noun(before.entries, 'entry') as _before
        from disappeared join old.sitemaps as before using (sitemap)
        where before.entries > 0
        union all
        select sitemap, before.entries, after.entries,
            format('lists {{:,}} now, ', after.entries)
                || percent((before.entries - after.entries) / before.entries) || ' fewer',
            count_noun(before.entries, 'entry')
        from old.sitemaps as before join readable as after using (sitemap)
        where before.entries - after.entries >= {MIN_LOST}
            and before.entries - after.entries >= {MIN_SHARE} * before.entries
            and (before.kind = 'sitemapindex') = (after.kind = 'sitemapindex')
    """
