from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class LinksInconclusive(QueryRule):
    """Link graph may be incomplete

    When: links were recorded (``links=record``), and pages that may have links were not fetched,
    not read to their end, or made by scripts and not rendered; or links lead to URLs that were not
    fetched, which may redirect.

    Why: A page without a known link may have an unknown one. So the audit does not say which listed
    pages have no internal links (orphan-no-inlinks). Its counts of links are minimums.

    Fix: Audit all pages, without a sample, filters or limits, and render pages that scripts make.
    Pages that fail or are blocked need fixing first. List the URLs that pages link to.
    """

    severity = Severity.NOTICE
    message = "has links that may be unknown: {reasons}"
    references = (PRACTICE,)

    query = """
        select string_agg(
            reason || ' (' || format('{:,}', number) || ')', ', ' order by place, reason
        ) as reasons
        from link_gaps
        having count(*) > 0
    """
