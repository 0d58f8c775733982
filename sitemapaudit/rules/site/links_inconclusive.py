from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class LinksInconclusive(QueryRule):
    """Link graph may be incomplete

    When: links were recorded (``links=record``), and pages that may have links were not fetched,
    not read to their end, or filled by scripts and not rendered; or links lead to URLs that were
    not fetched, which may redirect.

    Why: A page without a known link may have an unknown one. So no page is reported as an orphan,
    as deep, or as linked by nofollow links only, and the counts of links are minimums. The table
    ``orphans`` and the report have the pages that may be orphans.

    Fix: Audit all pages, without a sample, filters or limits, and render pages that scripts fill.
    Pages that fail or are blocked need fixing first. List the URLs that pages link to.
    """

    severity = Severity.NOTICE
    message = (
        "may have unknown links: {reasons}; the links of {read} of {_known} ({_share}) were read"
    )
    references = (PRACTICE,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = """
        select reasons, format('{:,}', coalesce(read, 0)) as read,
            format('{:,}', coalesce(known, 0)) as known,
            coalesce(100 * read // known, 0) as share, candidates,
            count_noun(coalesce(known, 0), 'known page') as _known,
            percent(coalesce(read / known, 0)) as _share
        from (
            select string_agg(
                reason || ' (' || format('{:,}', number) || ')', ', ' order by place, reason
            ) as reasons
            from link_gaps
            having count(*) > 0
        )
        left join link_coverage on true
        cross join (select count(*) as candidates from orphans)
    """
