from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class NoindexAgent(RowRule[Page]):
    """A listed page says noindex to one crawler

    When: the URL itself answers 2xx, and a meta tag or X-Robots-Tag holds noindex or none for
    an agent by name, each name told once. If the configured agent heeds that name (googlebot
    counts for Googlebot-News): error; else: notice.

    Why: The sitemap asks for what the page refuses to that crawler.

    Fix: Remove the entry, or the directive.
    """

    severity = Severity.ERROR
    message = "says {token} to {agent}, in {place}"
    references = (GOOGLE_META,)

    _places = {"meta": "a meta tag", "header": "the X-Robots-Tag header"}

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        seen: set[str] = set()
        for statement in row.statements:
            agent = statement.agent
            if agent is None or agent in seen or statement.token not in ("noindex", "none"):
                continue
            seen.add(agent)
            severity = Severity.ERROR if statement.holds else Severity.NOTICE
            place = self._places[statement.source]
            yield self.finding(row, severity, token=statement.token, agent=agent, place=place)
