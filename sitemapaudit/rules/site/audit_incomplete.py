from __future__ import annotations

from sitemapaudit.items import Severity
from sitemapaudit.rules.rule import Query
from sitemapaudit.rules.sources import PRACTICE


class AuditIncomplete(Query):
    """The audit left something unchecked

    When: a limit, a stop or a failure left listed URLs unchecked, or sitemaps unread. What
    the user chose to leave out (pages, include, exclude, since, shard) is no finding.

    Why: What was not looked at is neither good nor bad: the counts are those of a part.

    Fix: Raise the limit, or run the audit to its end.
    """

    severity = Severity.NOTICE
    message = "left {unchecked} listed URLs unchecked and {unread} sitemaps unread: {reason}"
    references = (PRACTICE,)

    query = """
        select unchecked, unread, reason
        from run
        where unchecked > 0 or unread > 0 or stopped
    """
