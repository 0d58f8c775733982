"""The sitemap files."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from sitemapaudit.items.vocabulary import Error, Kind, SitemapSource


@dataclass(slots=True)
class UnexpectedElement:
    """An element that the sitemap schema does not allow at its place."""

    line: int
    name: str


@dataclass(slots=True)
class NamespaceBinding:
    """A namespace and the prefix that it is bound to; null for the default namespace."""

    prefix: str | None
    namespace: str


@dataclass(slots=True)
class Sitemap:
    """A row per sitemap file, read or not."""

    sitemap: Annotated[str, "the URL that was fetched"]
    parent: Annotated[str | None, "the sitemap index that lists it"] = None
    source: Annotated[
        SitemapSource, "how it was discovered: `robots`, `index`, `given` or `well-known`"
    ] = SitemapSource.GIVEN
    depth: Annotated[int, "levels below the file where discovery began"] = 0
    status: Annotated[int | None, "HTTP status after redirects"] = None
    final_url: Annotated[str | None, "the URL that responded"] = None
    hops: Annotated[int, "redirects before the response"] = 0
    content_type: Annotated[str | None, "media type as sent"] = None
    content_encoding: Annotated[str | None, "as sent"] = None
    kind: Annotated[
        Kind,
        "`urlset`, `sitemapindex`, `text`, `rss`, `atom`, `html` or `unknown`; `list` for the "
        "argument `urls`",
    ] = Kind.UNKNOWN
    error_body: Annotated[
        Kind | None,
        "`kind` of a sitemap that came with an error status, so that search engines do not read it",
    ] = None
    detected_format: Annotated[
        str | None, "detected from the first bytes: `xml`, `text`, `html`, `empty`, `zip` …"
    ] = None
    leading_chars: Annotated[
        int, "characters that must not precede the XML declaration or the root element"
    ] = 0
    encoding: Annotated[
        str | None,
        "from the byte order mark, the XML declaration or Content-Type, in this order",
    ] = None
    encoding_error: Annotated[str | None, "why it is not UTF-8; null if it is, or is unknown"] = (
        None
    )
    doctype: Annotated[bool, "a DOCTYPE or ENTITY declaration precedes the root element"] = False
    version: Annotated[str | None, "version of a feed: `2.0`, `1.0`, `0.3` …"] = None
    namespace: Annotated[str | None, "namespace of the root element"] = None
    namespaces: Annotated[list[str], "all namespaces that the root element declares"] = field(
        default_factory=list
    )
    wrong_namespaces: Annotated[
        list[NamespaceBinding],
        "misspelled extension namespaces that an entry uses: prefix and namespace; at most 20",
    ] = field(default_factory=list)
    unexpected_elements: Annotated[
        list[UnexpectedElement],
        "children of the root in the sitemap namespace that are not entries, up to the first XML "
        "error: line and name; at most 20",
    ] = field(default_factory=list)
    generator: Annotated[
        str | None,
        "the known generator that its style sheet or a comment before the first entry shows",
    ] = None
    bytes: Annotated[int | None, "size, decoded"] = None
    gzip_layers: Annotated[int, "gzip layers of the file itself, without Content-Encoding"] = 0
    gzip_error: Annotated[str | None, "why decoding failed"] = None
    truncated: Annotated[bool, "reading stopped at the limit of bytes or of entries"] = False
    entries: Annotated[int, "entries that were read"] = 0
    recovered_entries: Annotated[int, "entries recovered after the first XML error"] = 0
    xml_error: Annotated[str | None, "the first error of a strict parse"] = None
    xml_error_line: Annotated[int | None, "its line"] = None
    xml_error_column: Annotated[int | None, "its column"] = None
    cycles: Annotated[list[str], "children that are this sitemap or one above it"] = field(
        default_factory=list
    )
    error: Annotated[Error | None, "why there is no usable response"] = None
    error_detail: Annotated[str | None, "the error as reported by the network"] = None
    last_modified: Annotated[datetime | None, "the `Last-Modified` header, parsed"] = None
    headers: Annotated[
        list[str],
        "headers of the response as `name: value`, without the values of cookies and other secrets",
    ] = field(default_factory=list)
    body_start: Annotated[
        str | None,
        "the first characters of the body, if it is not a sitemap, or something precedes its XML; "
        "at most 300",
    ] = None
    elapsed: Annotated[
        float | None, "seconds until the response; null if the audit was too busy to measure them"
    ] = None
    retries: Annotated[int, "how often it was fetched again"] = 0
    fetched_at: Annotated[datetime | None, "when the response arrived"] = None
    truncated_columns: Annotated[
        list[str],
        "columns that contain only a part of what was sent, because it was too long",
    ] = field(default_factory=list)
    complete: Annotated[bool, "everything in it that can be read was read"] = True
