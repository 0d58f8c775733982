from __future__ import annotations

import re
from collections.abc import Iterator

from sitemapaudit.items import Finding, Page, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_CANONICAL, RFC_6596


class CanonicalRelative(RowRule[Page]):
    """A canonical is relative

    When: the URL itself answers 2xx, and a usable canonical of its head or header has no
    scheme, as /page or //host/page. It is resolved, for a tag with the base element. The
    first is told.

    Why: It is allowed, yet breaks as soon as the page is served under another host or path.

    Fix: Write the full address.
    """

    severity = Severity.NOTICE
    message = "names the relative canonical {href!r}"
    references = (
        RFC_6596,
        GOOGLE_CANONICAL,
    )

    _scheme = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)

    def check(self, row: Page) -> Iterator[Finding]:
        if not row.was_read:
            return
        for canonical in row.canonicals:
            if canonical.fault is None and not self._scheme.match(canonical.href.strip()):
                yield self.finding(row, href=canonical.href, source=canonical.source)
                return
