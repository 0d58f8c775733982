from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.directives import NEGATIVE
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class DirectivesConflict(RowRule[Page]):
    """The directives of a listed page contradict each other

    When: the URL itself answers 2xx, and what it says to all agents, or to the configured one
    by name, holds index and noindex, follow and nofollow, or all or none beside what it
    denies, in one place or in several. The more restrictive one counts. A directive to one
    agent beside another to all is no contradiction. One contradiction is told for each name.

    Why: One of the two was not meant, and it is the wish to be indexed that loses.

    Fix: State one.
    """

    severity = Severity.WARNING
    message = "says both {positive} and {negative}"
    references = (GOOGLE_META,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        said: dict[str | None, set[str]] = {}
        for statement in row.statements:
            if statement.holds:
                said.setdefault(statement.agent, set()).add(statement.token)
        for tokens in said.values():
            yield from self._conflicts(row, tokens)

    def _conflicts(self, row: Page, tokens: set[str]) -> Iterator[Finding]:
        for negative, positive in NEGATIVE.items():
            denial = next((token for token in (negative, "none") if token in tokens), None)
            wish = next((token for token in (positive, "all") if token in tokens), None)
            if denial and wish:
                yield self.finding(row, positive=wish, negative=denial)
                return
