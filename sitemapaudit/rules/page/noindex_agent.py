from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.directives import is_misspelled
from sitemapaudit.rules.concerns import STATEMENTS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class NoindexAgent(RowRule[Page]):
    """Listed page is marked noindex for a specific crawler

    When: the URL itself returns 2xx, and a meta tag or X-Robots-Tag header says noindex or none
    to an agent by name. Each name is reported once. If the configured agent obeys that name
    (googlebot also applies to Googlebot-News): error. Otherwise: notice. robots-meta-misspelled
    reports names such as robot.

    Why: The sitemap requests indexing, but the page refuses it to that crawler.

    Fix: Remove the entry, or the directive.
    """

    severity = Severity.ERROR
    message = "says {token} to {agent} in {place}"
    cause = "say {token} to {agent} in {place}"
    concern = STATEMENTS
    references = (GOOGLE_META,)

    _places = {"meta": "a meta tag", "header": "the X-Robots-Tag header"}

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        reported: set[str] = set()
        for statement in row.statements:
            agent = statement.agent
            if agent is None or agent in reported or is_misspelled(agent):
                continue
            if statement.token not in ("noindex", "none"):
                continue
            reported.add(agent)
            severity = Severity.ERROR if statement.applies else Severity.NOTICE
            place = self._places[statement.source]
            yield self.finding(row, severity, token=statement.token, agent=agent, place=place)
