from sitemapaudit.items import OrphanKind, Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class LinksInconclusive(QueryRule):
    """Link graph may be incomplete

    When: links were recorded (``links=record``), and pages that may have links were not fetched,
    not read to their end, or run scripts and were not rendered; or links lead to URLs that were
    not fetched, which may redirect; or a sitemap could not be read. Where a browser rendered at
    least three pages of a template, and scripts added no links to them, the others need none.

    Why: A page without a known link may have an unknown one. So no page is reported as an orphan,
    as deep, or as linked by nofollow links only, and the counts of links are minimums. The table
    ``orphans`` and the report have the pages that may be orphans.

    Fix: Audit all pages, without a sample, filters or limits, and with ``render=auto`` if pages run
    scripts. Pages that fail or are blocked need fixing first. List the URLs that pages link to.
    """

    severity = Severity.NOTICE
    message = (
        "{_lost}; this is not certain: {reasons};"
        " all links of {read} of {_known} ({_share}) are known"
    )
    references = (PRACTICE,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = f"""
        select reasons, format('{{:,}}', coalesce(read, 0)) as read,
            format('{{:,}}', coalesce(known, 0)) as known,
            coalesce(100 * read // known, 0) as share, unlinked + unreachable as candidates,
            case
                when unlinked + unreachable = 0 then 'no listed page seems to be an orphan'
                when unreachable = 0 then linked || ' from no page that was read'
                when unlinked = 0 then lost || ' from the home page by known links'
                else linked || ' from no page that was read, and ' || lost
                    || ' from the home page by known links'
            end as _lost,
            count_noun(coalesce(known, 0), 'known page') as _known,
            percent(coalesce(read / known, 0)) as _share
        from (
            select string_agg(
                reason || ' (' || format('{{:,}}', number) || ')', ', ' order by place, reason
            ) as reasons
            from link_gaps
            having count(*) > 0
        )
        left join link_coverage on true
        cross join (
            select unlinked, unreachable,
                count_noun(unlinked, 'listed page') || if(unlinked = 1, ' is', ' are')
                    || ' linked' as linked,
                count_noun(unreachable, 'linked page') || ' cannot be reached' as lost
            from (
                select count(*) filter (kind = '{OrphanKind.NO_INLINKS}') as unlinked,
                    count(*) filter (kind = '{OrphanKind.UNREACHABLE}') as unreachable
                from orphans
            )
        )
    """
