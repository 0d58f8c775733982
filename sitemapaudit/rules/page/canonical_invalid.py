from collections.abc import Iterator

from sitemapaudit.items import Canonical, Finding, Page, Severity
from sitemapaudit.pages.canonical import EMPTY, OUTSIDE_HEAD, TOO_LONG, UNPARSABLE
from sitemapaudit.rules.concerns import CANONICALS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL


class CanonicalInvalid(RowRule[Page]):
    """Listed page declares an invalid canonical

    When: the URL itself returns 2xx, and a canonical in its header, head or body is empty,
    cannot be parsed, is not http(s), has more than 8,192 characters, or has an hreflang, lang,
    media or type attribute. Such a canonical is ignored. A canonical with a fragment is used
    without the fragment, and is reported as well.

    Why: The page declares a canonical that engines ignore.

    Fix: Correct it: use one link element with rel and href and no other attribute.
    """

    severity = Severity.WARNING
    message = "declares the canonical {href!r}, which {problem}"
    cause = "declare a canonical that {problem}"
    concern = CANONICALS
    references = (GOOGLE_CANONICAL,)

    _problems = {
        EMPTY: "is empty",
        UNPARSABLE: "is not an http(s) URL",
        TOO_LONG: "is too long, or relative to a base that is too long",
    }

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
        if canonical.ignore_reason is None:
            return "has a fragment" if "#" in canonical.href else None
        if canonical.ignore_reason == OUTSIDE_HEAD:
            return None
        return self._problems.get(
            canonical.ignore_reason, f"has the attribute {canonical.ignore_reason}"
        )
