import re
from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.concerns import CANONICALS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_6596


class CanonicalRelative(RowRule[Page]):
    """Canonical of a listed page is relative

    When: the URL itself returns 2xx, and a usable canonical in its head or header has no
    scheme, such as /page or //host/page. A relative canonical is resolved, in a tag with the
    base element. Only the first one is reported.

    Why: It is allowed, but breaks as soon as the page is served on another host or path.

    Fix: Write the full URL.
    """

    severity = Severity.NOTICE
    message = "declares the relative canonical {href!r}"
    cause = "declare a relative canonical"
    concern = CANONICALS
    references = (
        RFC_6596,
        GOOGLE_CANONICAL,
    )

    _scheme = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        for canonical in row.canonicals:
            if canonical.ignore_reason is None and not self._scheme.match(canonical.href.strip()):
                yield self.finding(row, href=canonical.href, source=canonical.source)
                return
