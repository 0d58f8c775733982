from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, YANDEX
from sitemapaudit.urls import MAX_LENGTH, trimmed


class LocTooLong(RowRule[Entry]):
    """A loc is too long

    When: the loc has 2,048 characters or more, counted after entities are decoded and the
    ends are trimmed; 2,047 pass. With `AUDIT_LONG_LOC=1024`, the limit of Yandex, one that has
    more characters than that and fewer than 2,048: notice.

    Why: The protocol demands less than 2,048 characters; engines may drop the entry.

    Fix: Shorten the address.
    """

    severity = Severity.ERROR
    message = "the loc has {length:,} characters, and at most {limit:,} are allowed"
    references = (
        PROTOCOL,
        YANDEX,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        length = len(trimmed(row.loc or ""))
        preferred = self.preferences.long_loc
        if length >= MAX_LENGTH:
            limit, severity = MAX_LENGTH - 1, Severity.ERROR
        elif 0 < preferred < length:
            limit, severity = preferred, Severity.NOTICE
        else:
            return
        yield self.finding(row, severity, length=length, limit=limit, loc=(row.loc or "")[:200])
