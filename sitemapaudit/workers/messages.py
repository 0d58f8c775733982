"""What the main process and a worker send each other through two pipes.

A message is four bytes with the length of what follows. The first one to a worker is a pickled
``Job``; all others are lists in MessagePack, of orders or of answers.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from sitemapaudit.items import Role

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from sitemapaudit.config import Config
    from sitemapaudit.crawling.revalidation import Reuse

_LENGTH: Final = struct.Struct("!I")
HEADER_BYTES: Final = _LENGTH.size


class Job(Struct, frozen=True):
    """What a worker must know before its first URL.

    ``origins`` and ``private_hosts`` are those that may have private addresses. ``reuse`` is what
    of an earlier run is revalidated.
    """

    settings: Settings
    config: Config
    origins: tuple[str, ...]
    private_hosts: frozenset[str]
    reuse: Reuse | None = None


class Order(msgspec.Struct, array_like=True, gc=False):
    """A URL to fetch; the answer has the same number."""

    number: int
    url: str
    role: Role
    via: str | None
    steps: int


class Done(msgspec.Struct, array_like=True, gc=False, tag=1):
    """A page that was read: its line, and those of its findings.

    ``page`` is the page itself as JSON if its line hides a password. Without a line, the URL could
    not be processed. ``links`` are its links as they are recorded, and ``names`` the URLs in them
    that this worker had not sent before.
    """

    number: int
    line: bytes = b""
    findings: bytes = b""
    found: int = 0
    page: bytes | None = None
    links: bytes = b""
    names: list[str] = []


class Refused(msgspec.Struct, array_like=True, gc=False, tag=2):
    """A response that asks to wait: the main process goes on with it, after so many retries."""

    number: int
    status: int
    retry_after: bytes | None
    retries: int


class Counted(msgspec.Struct, array_like=True, gc=False, tag=3):
    """What was added to the stats since the last time."""

    stats: dict[str, int]


class Logged(msgspec.Struct, array_like=True, gc=False, tag=4):
    """A line for the log, with its traceback."""

    logger: str
    level: int
    text: str


Answer = Done | Refused | Counted | Logged

_encoder = msgspec.msgpack.Encoder()
decode_orders = msgspec.msgpack.Decoder(list[Order]).decode
decode_answers = msgspec.msgpack.Decoder(list[Answer]).decode


def frame(content: bytes) -> bytes:
    """Return a message."""
    return _LENGTH.pack(len(content)) + content


def frame_all(messages: Sequence[Order] | Sequence[Answer]) -> bytes:
    """Return orders or answers as one message."""
    return frame(_encoder.encode(messages))


def content_length(header: bytes) -> int:
    """Return how many bytes follow the header of a message."""
    length: Any = _LENGTH.unpack(header)[0]
    return int(length)
