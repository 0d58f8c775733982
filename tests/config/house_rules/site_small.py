"""A rule of a user."""

from sitemapaudit.items import Severity, Subject
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class SiteSmall(QueryRule):
    """Site is small

    When: fewer than a hundred URLs are listed.

    Why: It is a test.

    Fix: Nothing.
    """

    subject = Subject.SITE
    severity = Severity.NOTICE
    message = "lists {number} URLs"
    references = (PRACTICE,)
    query = "select count(*) as number from urls having number < 100"
