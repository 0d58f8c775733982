from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.pages.directives import is_misspelled
from sitemapaudit.rules.concerns import STATEMENTS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_META


class RobotsMetaMisspelled(RowRule[Page]):
    """Robots meta tag has a misspelled name

    When: the URL itself returns 2xx, and a meta tag has a name that differs from robots by one
    letter, such as robot. The page has one finding for each such name.

    Why: The directives are ignored: no crawler has that name.

    Fix: Write robots, or remove the tag.
    """

    severity = Severity.WARNING
    message = "has a meta tag {name!r} instead of 'robots': {directives} is ignored"
    cause = "have a meta tag {name!r} instead of 'robots'"
    concern = STATEMENTS
    references = (GOOGLE_META,)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        ignored: dict[str, list[str]] = {}
        for statement in row.statements:
            if statement.source == "meta" and statement.agent and is_misspelled(statement.agent):
                ignored.setdefault(statement.agent, []).append(statement.token)
        for name, tokens in ignored.items():
            yield self.finding(row, name=name, directives=", ".join(tokens))
