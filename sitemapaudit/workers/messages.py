"""Messages between the main process and its child processes, through two pipes.

A message begins with its length in four bytes. The first message to a child is a pickled job; all
others are lists in MessagePack: tasks of one kind to it, and answers from it.
"""

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from sitemapaudit.http.response import Response
from sitemapaudit.items import Role, Sitemap
from sitemapaudit.rules.catalog import Catalog, catalog
from sitemapaudit.rules.rule_options import RuleOptions
from sitemapaudit.runs.ledger.records import EntryRecords
from sitemapaudit.urls.staging import Staging
from sitemapaudit.workers.log_forwarding import Logged

_LENGTH: Final = struct.Struct("!I")
HEADER_BYTES: Final = _LENGTH.size


class ReadingJob(Struct, frozen=True):
    """The data that a reader needs before its first file: rules, staging, and log level."""

    rules: Mapping[str, str]
    rule_options: RuleOptions
    rule_modules: tuple[str, ...]
    staging: Staging
    log_level: str | int

    @property
    def catalog(self) -> Catalog:
        """All rules, including those of AUDIT_RULE_MODULES."""
        return catalog(self.rule_modules)


class Order(msgspec.Struct, array_like=True, gc=False):
    """A URL to fetch; the answer has the same number."""

    number: int
    url: str
    role: Role
    via: str | None
    steps: int


class Done(msgspec.Struct, array_like=True, gc=False, tag=1):
    """A page that was read: its line and those of its findings.

    ``page`` is the page itself as JSON if its line hides a password. Without a line, the URL could
    not be processed. ``links`` are its links as recorded, and ``names`` the URLs in them that this
    worker sends for the first time.
    """

    number: int
    line: bytes = b""
    findings: bytes = b""
    found: int = 0
    page: bytes | None = None
    links: bytes = b""
    names: list[str] = []


class Refused(msgspec.Struct, array_like=True, gc=False, tag=2):
    """A response that asks to wait: the main process continues after ``retries`` retries."""

    number: int
    status: int
    retry_after: bytes | None
    retries: int


class Counted(msgspec.Struct, array_like=True, gc=False, tag=3):
    """Additions to the stats since the last message."""

    stats: dict[str, int]


class FileToRead(msgspec.Struct, array_like=True, gc=False):
    """A response, and the incomplete row of its file."""

    response: Response
    row: Sitemap


class RowSoFar(msgspec.Struct, array_like=True, gc=False, tag=5):
    """The row of a file whose entries follow."""

    row: Sitemap


class EntryLines(msgspec.Struct, array_like=True, gc=False, tag=6):
    """The records of neighboring entries."""

    records: EntryRecords


class WholeRow(msgspec.Struct, array_like=True, gc=False, tag=7):
    """The complete row of a file, and the sitemaps that it lists."""

    row: Sitemap
    children: list[str]


class EndOfFile(msgspec.Struct, array_like=True, gc=False, tag=8):
    """The end of the parts of a file."""


class Failed(msgspec.Struct, array_like=True, gc=False, tag=9):
    """A fault of this machine, which stops the run."""

    reason: str
    remedy: str


class Doubted(msgspec.Struct, array_like=True, gc=False, tag=10):
    """URLs whose responses can belong to other requests."""

    urls: list[str]


Answer = (
    Doubted
    | Failed
    | Done
    | Refused
    | Counted
    | Logged
    | RowSoFar
    | EntryLines
    | WholeRow
    | EndOfFile
)

_encoder = msgspec.msgpack.Encoder()
decode_orders = msgspec.msgpack.Decoder(list[Order]).decode
decode_files = msgspec.msgpack.Decoder(list[FileToRead]).decode
decode_answers = msgspec.msgpack.Decoder(list[Answer]).decode


def frame(content: bytes) -> bytes:
    """Return a message."""
    return _LENGTH.pack(len(content)) + content


def frame_all(messages: Sequence[Order] | Sequence[FileToRead] | Sequence[Answer]) -> bytes:
    """Return tasks or answers as one message."""
    return frame(_encoder.encode(messages))


def content_length(header: bytes) -> int:
    """Return the bytes after the header of a message."""
    length: Any = _LENGTH.unpack(header)[0]
    return int(length)
