"""Reads sitemaps whose pages are not fetched, from bytes to the lines of entries.

The thread that reads a file also checks and encodes its entries. For another thread, they would be
in the cache of another processor: the first access to each would take longer than to create it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from sitemapaudit.audit import Audit
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entries, Entry, Sitemap
from sitemapaudit.runs.ledger.records import EntryRecords, Recorder
from sitemapaudit.sitemaps.file_parts import ReadFile, origins_of, read_parts, skip_pages
from sitemapaudit.urls.staging import Staging

_BYTES: Final = 2**18
"""Bytes of lines that are handed over together: some 3,000 entries."""


class FileRecorder:
    """Reads files into their rows and the records of their entries."""

    def __init__(self, audit: Audit, staging: Staging) -> None:
        self._audit = audit
        self._recorder = Recorder(audit)
        self._staging = staging

    def read(self, response: Response, row: Sitemap) -> Iterator[Sitemap | EntryRecords | ReadFile]:
        """Yield the parts of a file, as ``read_parts`` does, with fewer and larger batches."""
        waiting: list[EntryRecords] = []
        for part in read_parts(response, row, self._staging):
            if isinstance(part, list):
                waiting.append(self._record(part))
                if sum(len(each.lines) for each in waiting) < _BYTES:
                    continue
            if waiting:
                yield _joined(waiting)
                waiting = []
            if not isinstance(part, list):
                yield part
        if waiting:
            yield _joined(waiting)

    def _record(self, rows: list[Entry]) -> EntryRecords:
        skip_pages(rows)
        broken = self._audit.broken.copy()
        record = self._recorder.record(Entries(rows[0].sitemap, rows))
        return EntryRecords(
            len(rows),
            record.lines,
            self._recorder.lines(record.findings),
            len(record.findings),
            list(dict.fromkeys(origins_of(rows))),
            self._audit.broken - broken,
        )


def _joined(records: Sequence[EntryRecords]) -> EntryRecords:
    """Return one record for neighboring entries of a file."""
    return EntryRecords(
        sum(record.entries for record in records),
        b"".join(record.lines for record in records),
        b"".join(record.findings for record in records),
        sum(record.found for record in records),
        list(dict.fromkeys(chain.from_iterable(record.origins for record in records))),
        sum((Counter(record.broken) for record in records), Counter()),
    )
