from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PROTOCOL, YANDEX
from sitemapaudit.urls import MAX_LENGTH, trimmed


class LocTooLong(RowRule[Entry]):
    """A loc is too long

    When: the loc has 2,048 characters or more, counted after entities are decoded and the
    ends are trimmed; 2,047 pass.

    Why: The protocol demands less than 2,048 characters; engines may drop the entry.

    Fix: Shorten the address.
    """

    severity = Severity.ERROR
    message = "the loc has {length:,} characters, and fewer than {limit:,} are allowed"
    references = (
        PROTOCOL,
        YANDEX,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        length = len(trimmed(row.loc or ""))
        if length >= MAX_LENGTH:
            yield self.finding(row, length=length, limit=MAX_LENGTH, loc=(row.loc or "")[:200])
