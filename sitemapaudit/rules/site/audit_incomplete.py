from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE


class AuditIncomplete(Query):
    """The audit left something unchecked

    When: a limit, a stop or a failure left listed URLs unchecked or sitemaps unread, or the
    run was stopped before all of them were known. What the user chose to leave out (pages,
    include, exclude, since, shard) is no finding.

    Why: What was not looked at is neither good nor bad: the counts are those of a part.

    Fix: Raise the limit, or run the audit to its end.
    """

    severity = Severity.NOTICE
    message = "{outcome}: {reason}"
    references = (PRACTICE,)

    query = """
        select unchecked, unread, reason,
            coalesce('left ' || nullif(array_to_string([
                if(unchecked > 0, unchecked || ' listed URL' || if(unchecked = 1, '', 's')
                    || ' unchecked', null),
                if(unread > 0, unread || ' sitemap' || if(unread = 1, '', 's') || ' unread', null)
            ], ' and '), ''), 'ended early') as outcome
        from run
        where unchecked > 0 or unread > 0 or stopped
    """
