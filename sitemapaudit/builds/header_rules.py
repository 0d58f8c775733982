"""The headers that a site adds to the replies of its host."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.builds.patterns import expand
from sitemapaudit.builds.replies import HostedReply
from sitemapaudit.builds.requests import HostRequest

_NAME: Final = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\U0010ffff]+")

Headers = tuple[tuple[str, str], ...]


class HeaderRule(Struct, frozen=True):
    """A block of headers: the paths that it is for, what it sets, and what it removes."""

    path: re.Pattern[str]
    headers: Headers
    removed: tuple[str, ...] = ()
    host: re.Pattern[str] | None = None

    def match(self, request: HostRequest) -> dict[str, str] | None:
        """Return the values of the placeholders, or None if the block is for other paths."""
        host = self.host.fullmatch(request.host) if self.host else None
        path = self.path.fullmatch(request.path)
        if path is None or (self.host is not None and host is None):
            return None
        return (host.groupdict("") if host else {}) | path.groupdict("")


def is_header(name: str, value: str) -> bool:
    """Return whether hosts can send a header (RFC 9110 sections 5.1 and 5.5): no line breaks."""
    return _NAME.fullmatch(name) is not None and _VALUE.fullmatch(value) is not None


def add_headers(
    reply: HostedReply, request: HostRequest, rules: Iterable[HeaderRule], *, joins: bool
) -> HostedReply:
    """Add the headers of all blocks that match, in their order.

    The first block replaces what the host sends. Where a later block has the same header, its
    value is joined with a comma (``joins``), or replaces that of the earlier block.
    """
    headers = {name.lower(): (name, value) for name, value in reply.headers}
    ours: set[str] = set()
    for rule in rules:
        values = rule.match(request)
        if values is None:
            continue
        for name in rule.removed:
            headers.pop(name.lower(), None)
        for name, value in rule.headers:
            key, text = name.lower(), expand(value, values) if joins else value
            if joins and key in ours and key in headers:
                text = f"{headers[key][1]}, {text}"
            headers[key] = (name, text)
            ours.add(key)
    return replace(reply, headers=tuple(headers.values()))
