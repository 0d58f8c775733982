from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Canonical, Finding, Page, Severity
from sitemapaudit.pages.canonical import EMPTY, OUTSIDE_HEAD, UNPARSABLE
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalInvalid(RowRule[Page]):
    """A canonical of a listed page cannot be used

    When: the URL itself answers 2xx, and a canonical of its header, or of its head or body, is
    empty, cannot be parsed, is not http(s), or carries hreflang, lang, media or type: then it
    is ignored. One with a fragment is used without it, and told as well.

    Why: The page declares what engines pass over.

    Fix: Correct it: one link element with rel and href and nothing else.
    """

    severity = Severity.WARNING
    message = "names the canonical {href!r}, which {problem}"
    references = (GOOGLE_CANONICAL,)

    _problems = {EMPTY: "is empty", UNPARSABLE: "is no http(s) address"}

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        for canonical in row.canonicals:
            problem = self._problem(canonical)
            if problem is not None:
                yield self.finding(
                    row, href=canonical.href, problem=problem, source=canonical.source
                )

    def _problem(self, canonical: Canonical) -> str | None:
        if canonical.fault is None:
            return "has a fragment" if "#" in canonical.href else None
        if canonical.fault == OUTSIDE_HEAD:
            return None
        return self._problems.get(canonical.fault, f"carries {canonical.fault}")
