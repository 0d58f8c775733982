from __future__ import annotations

import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, RFC_3986


class LocNotEscaped(RowRule[Entry]):
    r"""A loc is not URL-escaped

    When: behind the host, a loc that can be asked for has a character outside ASCII, or one of
    `" < > \ ^ { } |` and the backtick, that is not percent-encoded. Nothing is said of a host
    outside ASCII.

    Why: The protocol demands URL-escaping. It names IRIs too, and engines escape by
    themselves: but not all readers do, nor in the same way.

    Fix: Percent-encode it as UTF-8.
    """

    severity = Severity.NOTICE
    message = "the loc has {characters}, not percent-encoded"
    references = (
        PROTOCOL,
        RFC_3986,
    )

    _unescaped = re.compile(r'[^\x00-\x7f]|["<>\\^{}|`]')
    _behind_host = re.compile(r"\s*https?://[^/?#\\]*(.*)", re.IGNORECASE | re.DOTALL)

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.url is None or row.loc is None:
            return
        match = self._behind_host.match(row.loc)
        found = self._unescaped.findall(match[1].strip()) if match else []
        if found:
            distinct = list(dict.fromkeys(found))
            shown = " ".join(distinct[:10]) + (" …" if len(distinct) > 10 else "")
            yield self.finding(row, characters=shown, loc=row.loc)
