from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.directives import NEGATIVE
from sitemapaudit.rules.concerns import STATEMENTS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class DirectivesConflict(RowRule[Page]):
    """Robots directives of a listed page conflict

    When: the URL itself returns 2xx, and its directives for all agents, or its directives for
    the configured agent by name, contain index or all together with noindex or none, or follow
    or all together with nofollow or none, in one place or in several. The more restrictive
    directive counts, except for Yandex. A directive for one agent does not conflict with a
    directive for all agents. At most one conflict is reported for each agent name.

    Why: One of the two is a mistake. Google and Bing obey the more restrictive one, Yandex the more
    permissive one.

    Fix: State only one of the two.
    """

    severity = Severity.WARNING
    message = "says both {positive} and {negative}"
    cause = "say both {positive} and {negative}"
    concern = STATEMENTS
    references = (GOOGLE_META,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        tokens_by_agent: dict[str | None, set[str]] = {}
        for statement in row.statements:
            if statement.applies:
                tokens_by_agent.setdefault(statement.agent, set()).add(statement.token)
        for tokens in tokens_by_agent.values():
            yield from self._find_conflict(row, tokens)

    def _find_conflict(self, row: Page, tokens: set[str]) -> Iterator[Finding]:
        for forbids, allows in NEGATIVE.items():
            negative = next((token for token in (forbids, "none") if token in tokens), None)
            positive = next((token for token in (allows, "all") if token in tokens), None)
            if negative and positive:
                yield self.finding(row, positive=positive, negative=negative)
                return
