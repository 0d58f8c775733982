"""Records: rows as the ledger keeps them, without passwords, within the caps, with findings.

Everything that reaches the item pipeline becomes one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, TypeVar

from sitemapaudit.audit import Audit, Item
from sitemapaudit.caps import fit, is_small
from sitemapaudit.http.response import Response
from sitemapaudit.items import (
    Entries,
    Entry,
    Finding,
    MediaFile,
    Page,
    Rendering,
    Robots,
    Role,
    Sitemap,
)
from sitemapaudit.pages.exchange import is_exchange, record_exchange
from sitemapaudit.redaction import may_contain_password, redacted
from sitemapaudit.runs import stats
from sitemapaudit.runs.ledger.first_pages import FirstPages, kinds_of
from sitemapaudit.runs.ledger.ledger import UNWRITTEN, Ledger, RowEncoder, rows_of
from sitemapaudit.runs.ledger.link_log import LinkRecord
from sitemapaudit.runs.stats import Stats

T = TypeVar("T", Page, Rendering)

ITEMS: Final = "item_scraped_count"
"""Scrapy's count of items."""

_RECORDED: Final = (Robots, Sitemap, Entries, Page, Rendering, MediaFile)


class Record(Protocol):
    """The record of an item to write; ``item`` is the item as feeds and other pipelines get it."""

    @property
    def item(self) -> Any:
        """The item, without passwords."""

    def write(self, ledger: Ledger) -> None:
        """Write the lines. Raises OSError."""

    def count(self, counts: Stats) -> None:
        """Count what was written."""


@dataclass(slots=True, frozen=True)
class RowRecord:
    """An item, its lines, findings and links. The item is a copy if it contained passwords."""

    item: Any
    lines: bytes
    findings: list[Finding]
    links: LinkRecord | None = None

    def write(self, ledger: Ledger) -> None:
        """Write the links, then the lines: a page in the ledger has its links. Raises OSError."""
        if self.links is not None:
            ledger.write_links(self.links)
        ledger.record(self.item, self.findings, self.lines)

    def count(self, counts: Stats) -> None:
        """Count the item, and its findings."""
        item = self.item
        counts.inc_value(ITEMS, len(item.rows) if isinstance(item, Entries) else 1)
        if type(item) is Page and item.role is Role.LISTED:
            counts.inc_value(stats.DONE)
        elif isinstance(item, Entries):
            counts.inc_value(stats.ENTRIES, len(item.rows))
        elif isinstance(item, Rendering):
            counts.inc_value(stats.RENDERED)
        if self.findings:
            counts.inc_value(stats.FINDINGS, len(self.findings))


@dataclass(slots=True, frozen=True)
class PageRecord:
    """A page that another process read, its line, and the lines of its ``found`` findings."""

    item: Page
    line: bytes
    findings: bytes
    found: int
    links: LinkRecord | None = None


@dataclass(slots=True, frozen=True)
class PageRecords:
    """The records of pages that arrived together from another process."""

    records: Sequence[PageRecord]

    @property
    def item(self) -> PageRecords:
        """Feeds do not get it: there are no workers if there are feeds."""
        return self

    def write(self, ledger: Ledger) -> None:
        """Write the lines together, which takes as long as those of one page. Raises OSError."""
        for record in self.records:
            if record.links is not None:
                ledger.write_links(record.links)
        ledger.write_lines(Page, b"".join(record.line for record in self.records))
        if findings := b"".join(record.findings for record in self.records):
            ledger.write_lines(Finding, findings)

    def count(self, counts: Stats) -> None:
        """Count the pages, and their findings."""
        counts.inc_value(ITEMS, len(self.records))
        listed = sum(record.item.role is Role.LISTED for record in self.records)
        counts.inc_value(stats.DONE, listed)
        counts.inc_value(stats.FINDINGS, sum(record.found for record in self.records))


@dataclass(slots=True, frozen=True)
class EntryRecords:
    """The lines of neighboring entries whose pages are not fetched, and of their findings.

    ``origins`` are those of their URLs; ``broken`` counts how often each rule failed.
    """

    entries: int
    lines: bytes = field(repr=False)
    findings: bytes = field(repr=False)
    found: int
    origins: list[str]
    broken: Mapping[str, int]

    @property
    def item(self) -> EntryRecords:
        """Feeds do not get it: it only exists if there are no feeds."""
        return self

    def write(self, ledger: Ledger) -> None:
        """Write the lines. Raises OSError."""
        ledger.write_lines(Entry, self.lines)
        if self.findings:
            ledger.write_lines(Finding, self.findings)

    def count(self, counts: Stats) -> None:
        """Count the entries, their findings, and rules that failed."""
        counts.inc_value(ITEMS, self.entries)
        counts.inc_value(stats.ENTRIES, self.entries)
        counts.inc_value(stats.FINDINGS, self.found)
        for rule, number in self.broken.items():
            counts.inc_value(stats.broken_stat(rule), number)


@dataclass(slots=True, frozen=True)
class ReadItem(Generic[T]):
    """A page or a rendering, the record of its links, and the response it was read from."""

    item: T
    links: LinkRecord | None = None
    response: Response | None = None


class Recorder:
    """Turns items into records."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._encoder = RowEncoder()
        self._first_pages = FirstPages()

    def take(self, item: Any, read: ReadItem[Any] | None = None) -> Record | None:
        """Return the record of an object in the pipeline; None if an audit records no such one.

        ``read`` is what belongs to a page or a rendering that comes without it.
        """
        if isinstance(item, ReadItem):
            return self.record(item.item, item.links, item.response)
        if isinstance(item, _RECORDED):
            return self.record(item, *((read.links, read.response) if read else ()))
        return item if isinstance(item, PageRecords | EntryRecords) else None

    def record(
        self, item: Item, links: LinkRecord | None = None, response: Response | None = None
    ) -> RowRecord:
        """Return the record of an item; ``response`` is what a page was read from."""
        # The lines are searched for passwords, and used if they contain none.
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
        findings = self._audit.examine(recorded)
        if response is not None and isinstance(recorded, Page) and is_exchange(response):
            kinds = kinds_of(recorded, findings)
            if kinds and self._first_pages.add(recorded, kinds):
                record_exchange(recorded, response)
                recorded = redacted(recorded)
                lines = self._encoder.encode(rows_of(recorded))
        return RowRecord(recorded, lines, findings, links)

    def lines(self, findings: list[Finding]) -> bytes:
        """Return the lines of findings."""
        return self._encoder.encode(findings)
