from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import LINKS, RECORDED_LINKS
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_CRAWL_BUDGET


class LinksSimilar(QueryRule):
    """Links lead to too many similar URLs

    When: linked pages were fetched (``links=crawl``), and more URLs than AUDIT_MAX_SIMILAR are
    linked, in no sitemap, and differ only in their parameters or in segments with digits. The
    audit fetched as many of them as the setting allows.

    Why: Calendars, filters, sort orders and session ids make endless URLs. Crawlers spend their
    time on them, and find the pages that matter later.

    Fix: Disallow such URLs in robots.txt, or do not link to them. If they are pages that matter,
    list them, or set AUDIT_MAX_SIMILAR to a higher number.
    """

    severity = Severity.NOTICE
    message = "links to {_urls} like {shape}, which {_were} not fetched"
    references = (GOOGLE_CRAWL_BUDGET,)

    depends_on = RECORDED_LINKS
    needs = (LINKS,)
    query = """
        select each.shape, format('{:,}', each.number) as number,
            count_noun(each.number, 'more URL') as _urls,
            if(each.number = 1, 'was', 'were') as _were
        from (select unnest(link_shapes) as each from run)
    """
