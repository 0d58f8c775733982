"""What a sitemap file says, as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.words import Error, Kind, Source


@dataclass(slots=True)
class Stranger:
    """An element that the schema of sitemaps does not know at its place."""

    line: int
    name: str


@dataclass(slots=True)
class Binding:
    """An address that is bound to a prefix; null for elements without one."""

    prefix: str | None
    namespace: str


@dataclass(slots=True)
class Sitemap:
    """A row for each sitemap file, read or not."""

    sitemap: Annotated[str, "the address asked for"]
    parent: Annotated[str | None, "the index that lists it"] = None
    source: Annotated[Source, "`robots`, `index`, `given` or `well-known`"] = Source.GIVEN
    depth: Annotated[int, "levels below the file that discovery found"] = 0
    status: Annotated[int | None, "HTTP status after redirects"] = None
    final_url: Annotated[str | None, "the address that answered"] = None
    hops: Annotated[int, "redirects before the answer"] = 0
    content_type: Annotated[str | None, "media type as sent"] = None
    content_encoding: Annotated[str | None, "as sent"] = None
    kind: Annotated[
        Kind,
        "`urlset`, `sitemapindex`, `text`, `rss`, `atom`, `html` or `unknown`",
    ] = Kind.UNKNOWN
    form: Annotated[
        str | None, "told by the first bytes: `xml`, `text`, `html`, `empty`, `zip` …"
    ] = None
    leading: Annotated[int, "characters before the XML declaration"] = 0
    encoding: Annotated[
        str | None, "told by byte order mark, XML declaration or Content-Type, the first of these"
    ] = None
    not_utf8: Annotated[str | None, "why it is not UTF-8; null if it is, or is no sitemap"] = None
    doctype: Annotated[bool, "a DOCTYPE or ENTITY declaration precedes the root element"] = False
    version: Annotated[str | None, "version of a feed: `2.0`, `1.0`, `0.3` …"] = None
    namespace: Annotated[str | None, "namespace of the root element"] = None
    namespaces: Annotated[list[str], "all that the root element declares"] = field(
        default_factory=list
    )
    wrong_namespaces: Annotated[
        list[Binding], "wrong forms of an extension's namespace that an entry uses; 20 at most"
    ] = field(default_factory=list)
    strangers: Annotated[
        list[Stranger],
        "children of the root in the namespace of sitemaps that are no entries, up to the first "
        "fault: line and name; 20 at most",
    ] = field(default_factory=list)
    bytes: Annotated[int | None, "size, decoded"] = None
    gzip: Annotated[int, "gzip layers of the file itself"] = 0
    gzip_fault: Annotated[str | None, "why decoding failed"] = None
    cut: Annotated[bool, "reading stopped at the cap on bytes or on entries"] = False
    entries: Annotated[int, "entries read"] = 0
    recovered: Annotated[int, "entries saved behind the first fault"] = 0
    fault: Annotated[str | None, "the first fault of a strict parse"] = None
    fault_line: Annotated[int | None, "its line"] = None
    fault_column: Annotated[int | None, "its column"] = None
    cycles: Annotated[list[str], "children that are the file itself or above it"] = field(
        default_factory=list
    )
    error: Annotated[Error | None, "why there is no usable answer"] = None
    error_detail: Annotated[str | None, "the same in the words of the network"] = None
    last_modified: Annotated[datetime | None, "the header, parsed"] = None
    elapsed: Annotated[float | None, "seconds until the answer was there"] = None
    retries: Annotated[int, "times that it was asked for again"] = 0
    fetched_at: Annotated[datetime | None, "when the answer came"] = None
    complete: Annotated[bool, "it was read to its end, as far as it can be read"] = True
