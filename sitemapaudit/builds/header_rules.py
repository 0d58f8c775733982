"""The headers that a site adds to the replies of its hosting."""

import re
from collections.abc import Iterable
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.builds.patterns import expand
from sitemapaudit.builds.replies import HostedReply
from sitemapaudit.builds.requests import HostedRequest
from sitemapaudit.builds.rule_file import IgnoredError
from sitemapaudit.regexes import Regex

_NAME: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\U0010ffff]+")


class HeaderBlock(Struct, frozen=True):
    """The headers that a block sets, and the names of those that it removes."""

    headers: tuple[tuple[str, str], ...]
    removed: tuple[str, ...] = ()


class HeaderRule(Protocol):
    """A rule of the site that adds headers."""

    def match(self, request: HostedRequest) -> HeaderBlock | None:
        """Return the headers for the reply to a request, or None for other requests."""


class PathHeaders(Struct, frozen=True):
    """A block of headers, for the paths and the hosts that match."""

    path: Regex
    block: HeaderBlock
    host: Regex | None = None

    def match(self, request: HostedRequest) -> HeaderBlock | None:
        """Return the block with the values of its placeholders."""
        host = self.host.fullmatch(request.host) if self.host else None
        path = self.path.fullmatch(request.path)
        if path is None or (self.host is not None and host is None):
            return None
        values = (host.groupdict("") if host else {}) | path.groupdict("")
        headers = tuple((name, expand(value, values)) for name, value in self.block.headers)
        return HeaderBlock(headers, self.block.removed)


def check_header(name: str, value: str) -> tuple[str, str]:
    """Return a header that can be sent (RFC 9110 sections 5.1 and 5.5). Raises IgnoredError."""
    if _NAME.fullmatch(name) is None or _VALUE.fullmatch(value) is None:
        raise IgnoredError("is not a valid header")
    return name, value


class Header(Struct, frozen=True):
    """A header of a rule in JSON."""

    key: str
    value: str

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for a header that cannot be sent."""
        check_header(self.key, self.value)


def add_headers(reply: HostedReply, blocks: Iterable[HeaderBlock], *, joins: bool) -> HostedReply:
    """Add the headers of blocks in their order.

    The first block replaces the headers of the hosting. If a later block has the same header, its
    value is joined with a comma (``joins``), or replaces the earlier one.
    """
    headers = {name.lower(): (name, value) for name, value in reply.headers}
    added: set[str] = set()
    for block in blocks:
        for name in block.removed:
            headers.pop(name.lower(), None)
        for name, value in block.headers:
            key = name.lower()
            earlier = f"{headers[key][1]}, " if joins and key in added and key in headers else ""
            headers[key] = (name, earlier + value)
            added.add(key)
    return replace(reply, headers=tuple(headers.values()))
