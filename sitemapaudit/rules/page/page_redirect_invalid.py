from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.answer import REDIRECTS
from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import RFC_9110


class PageRedirectInvalid(RowRule[Page]):
    """A redirect of a listed URL leads nowhere

    When: the answer is 301, 302, 303, 307 or 308 with no Location, one that cannot be
    parsed, or one to a scheme other than http and https.

    Why: Neither browsers nor engines can follow it.

    Fix: Correct the header.
    """

    severity = Severity.ERROR
    message = "answers {status} with {problem}"
    references = (RFC_9110,)

    def check(self, row: Page) -> Iterator[Finding]:
        if row.status not in REDIRECTS or row.target is not None:
            return
        blank = not (row.location or "").strip()
        problem = "no Location" if blank else f"the unusable Location {row.location!r}"
        yield self.finding(row, status=row.status, problem=problem, location=row.location)
