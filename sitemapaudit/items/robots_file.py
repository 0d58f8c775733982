"""The robots.txt files that were read."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.vocabulary import Error, Permission


@dataclass(slots=True)
class DeclaredSitemap:
    """A ``Sitemap:`` line of robots.txt."""

    line: int
    value: str
    url: str | None


@dataclass(slots=True)
class Robots:
    """A row per fetched robots.txt."""

    site: Annotated[str, "the origin that it applies to"]
    url: Annotated[str, "the URL of the robots.txt"]
    audited: Annotated[bool, "the origin is an audited site or hosts a declared sitemap"] = True
    status: Annotated[int | None, "HTTP status after redirects"] = None
    final_url: Annotated[str | None, "the URL that responded"] = None
    hops: Annotated[int, "redirects before the response"] = 0
    permission: Annotated[
        Permission,
        "`rules` (as the file says), `all`, `none` (5xx, 429), `unreachable`",
    ] = Permission.ALL
    error: Annotated[Error | None, "why there is no usable response"] = None
    error_detail: Annotated[str | None, "the error as reported by the network"] = None
    content_type: Annotated[str | None, "media type as sent"] = None
    headers: Annotated[
        list[str],
        "headers of the response as `name: value`, without the values of cookies and other secrets",
    ] = field(default_factory=list)
    is_html: Annotated[bool, "the body is an HTML page"] = False
    bytes: Annotated[int | None, "size, decoded"] = None
    sitemaps: Annotated[list[DeclaredSitemap], "the `Sitemap:` lines: line, value, url"] = field(
        default_factory=list
    )
    text: Annotated[
        str | None, "the file up to 500 KiB, if its rules apply (`permission` is `rules`)"
    ] = None
    well_known_tried: Annotated[
        list[str] | None,
        "the well-known URLs that were tried because no sitemap is declared, or none at a public "
        "address",
    ] = None
    well_known_outcomes: Annotated[
        list[str] | None,
        "what each of these returned: a status, an error, or `login` for a redirect to one",
    ] = None
    well_known_found: Annotated[int | None, "how many of these are a sitemap"] = None
    fetched_at: Annotated[datetime | None, "when the response arrived"] = None
    truncated_columns: Annotated[
        list[str],
        "columns that contain only a part of what was sent, because it was too long",
    ] = field(default_factory=list)
