"""What a robots.txt says."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.words import Error, Permission


@dataclass(slots=True)
class Declared:
    """A ``Sitemap:`` line of robots.txt."""

    line: int
    value: str
    url: str | None


@dataclass(slots=True)
class Robots:
    """A row for each robots.txt asked for."""

    site: Annotated[str, "the origin that it speaks for"]
    url: Annotated[str, "the address of the robots.txt"]
    judged: Annotated[bool, "an audited site, or the host of a declared sitemap"] = True
    status: Annotated[int | None, "HTTP status after redirects"] = None
    final_url: Annotated[str | None, "the address that answered"] = None
    hops: Annotated[int, "redirects before the answer"] = 0
    permission: Annotated[
        Permission,
        "`rules` (as the file says), `all`, `none` (5xx, 429), `unreachable`",
    ] = Permission.ALL
    error: Annotated[Error | None, "why there is no usable answer"] = None
    error_detail: Annotated[str | None, "the same in the words of the network"] = None
    content_type: Annotated[str | None, "media type as sent"] = None
    html: Annotated[bool, "the body is a web page"] = False
    bytes: Annotated[int | None, "size, decoded"] = None
    sitemaps: Annotated[list[Declared], "the `Sitemap:` lines: line number, value, URL"] = field(
        default_factory=list
    )
    text: Annotated[
        str | None, "the file as far as it is read (500 KiB), where it says what is allowed"
    ] = None
    tried: Annotated[
        list[str] | None, "well-known addresses that were tried, where none is declared"
    ] = None
    found: Annotated[int | None, "how many of those are a sitemap"] = None
    fetched_at: Annotated[datetime | None, "when the answer came"] = None
