"""Items as the ledger keeps them: without passwords, within the caps, and with their findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sitemapaudit.audit import Audit, Item
from sitemapaudit.caps import fit, is_small
from sitemapaudit.items import Entries, Entry, Finding, Page
from sitemapaudit.redaction import may_contain_password, redacted
from sitemapaudit.runs.ledger import UNWRITTEN, Ledger, RowEncoder, rows_of
from sitemapaudit.runs.link_log import LinkRecord


@dataclass(slots=True, frozen=True)
class Record:
    """An item, its lines, and its findings. The item is a copy if it contained passwords."""

    item: Any
    lines: bytes
    findings: list[Finding]

    @property
    def found(self) -> int:
        """How many findings there are."""
        return len(self.findings)

    def write(self, ledger: Ledger) -> None:
        """Write the lines. Raises OSError."""
        ledger.record(self.item, self.findings, self.lines)


@dataclass(slots=True, frozen=True)
class PageRecord:
    """A page that another process read, its line, and the lines of so many findings."""

    item: Page
    line: bytes
    findings: bytes
    found: int
    links: LinkRecord | None = None


@dataclass(slots=True, frozen=True)
class PageRecords:
    """The records of pages that arrived from another process at the same time."""

    records: Sequence[PageRecord]

    @property
    def found(self) -> int:
        """How many findings there are."""
        return sum(record.found for record in self.records)

    def write(self, ledger: Ledger) -> None:
        """Write the lines: together, which costs as much as those of one page. Raises OSError."""
        ledger.write_lines(Page, b"".join(record.line for record in self.records))
        if findings := b"".join(record.findings for record in self.records):
            ledger.write_lines(Finding, findings)


@dataclass(slots=True, frozen=True)
class EntryRecords:
    """The lines of neighboring entries whose pages are not fetched, and those of their findings.

    ``origins`` are those of their URLs, and ``broken`` counts how often each rule failed on them.
    """

    entries: int
    lines: bytes = field(repr=False)
    findings: bytes = field(repr=False)
    found: int
    origins: list[str]
    broken: Mapping[str, int]

    def write(self, ledger: Ledger) -> None:
        """Write the lines. Raises OSError."""
        ledger.write_lines(Entry, self.lines)
        if self.findings:
            ledger.write_lines(Finding, self.findings)


@dataclass(slots=True, frozen=True)
class LinkedPage:
    """A page that this process read, and the record of its links."""

    page: Page
    links: LinkRecord


class Recorder:
    """Turns items into records."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._encoder = RowEncoder()

    def record(self, item: Item) -> Record:
        """Return the record of an item."""
        # The lines are searched for passwords, and written if there are none.
        lines = self._encoder.encode(rows_of(item))
        if not isinstance(item, Entries) and not is_small(lines):
            fit(item)
            lines = self._encoder.encode(rows_of(item))
        recorded = item
        if may_contain_password(lines):
            recorded = redacted(item, lines)
            lines = self._encoder.encode(rows_of(recorded))
        elif UNWRITTEN in lines:
            recorded = redacted(fit(item))
        return Record(recorded, lines, self._audit.examine(recorded))

    def lines(self, findings: list[Finding]) -> bytes:
        """Return the lines of findings."""
        return self._encoder.encode(findings)
