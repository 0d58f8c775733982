from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import UNFINISHED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class AuditIncomplete(QueryRule):
    """Audit is incomplete

    When: a limit, a stop or a failure left listed URLs unchecked or sitemaps unread, or the run was
    stopped before all of them were known. What the user chose to skip (pages, include, exclude,
    since, shard) is not reported.

    Why: What was not checked is neither good nor bad. All counts cover only a part of the site.

    Fix: Raise the limit, or run the audit to its end.
    """

    severity = Severity.NOTICE
    message = "{outcome}: {reason}"
    references = (PRACTICE,)

    needs = (UNFINISHED,)
    query = """
        select unchecked_urls, unread_sitemaps, reason,
            coalesce('left ' || nullif(array_to_string([
                if(unchecked_urls > 0, format('{:,}', unchecked_urls) || ' listed URL'
                    || if(unchecked_urls = 1, '', 's') || ' unchecked', null),
                if(unread_sitemaps > 0, format('{:,}', unread_sitemaps) || ' sitemap'
                    || if(unread_sitemaps = 1, '', 's') || ' unread', null)
            ], ' and '), ''), 'ended early') as outcome
        from run
        where unchecked_urls > 0 or unread_sitemaps > 0 or stopped
    """
