"""What the main process and a process that reads sitemaps send each other.

The first message is a pickled ``ReadingJob``; all others are in MessagePack: files to read, and for
each of these its parts and an end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct

from sitemapaudit.http.response import Response
from sitemapaudit.items import Sitemap
from sitemapaudit.rules.catalog import Catalog, catalog
from sitemapaudit.rules.rule_options import RuleOptions
from sitemapaudit.runs.records import EntryRecords
from sitemapaudit.urls.staging import Staging
from sitemapaudit.workers.messages import Logged


class ReadingJob(Struct, frozen=True):
    """What must be known before the first file: the rules, the staging, and what is logged."""

    rules: Mapping[str, str]
    rule_options: RuleOptions
    rule_modules: tuple[str, ...]
    staging: Staging
    log_level: str | int

    @property
    def catalog(self) -> Catalog:
        """All rules, those of the modules included."""
        return catalog(self.rule_modules)


class FileToRead(msgspec.Struct, array_like=True, gc=False):
    """A response, and the row of its file as far as it is known."""

    response: Response
    row: Sitemap


class RowSoFar(msgspec.Struct, array_like=True, gc=False, tag=1):
    """The row of a file whose entries follow."""

    row: Sitemap


class EntryLines(msgspec.Struct, array_like=True, gc=False, tag=2):
    """The records of neighboring entries."""

    records: EntryRecords


class WholeRow(msgspec.Struct, array_like=True, gc=False, tag=5):
    """The row of a file that was read to its end, and the sitemaps that it lists."""

    row: Sitemap
    children: list[str]


class EndOfFile(msgspec.Struct, array_like=True, gc=False, tag=6):
    """All parts of a file were sent."""


Message = RowSoFar | EntryLines | WholeRow | EndOfFile | Logged

encode: Final = msgspec.msgpack.Encoder().encode
decode_file: Final = msgspec.msgpack.Decoder(FileToRead).decode
decode_message: Final = msgspec.msgpack.Decoder(Message).decode
