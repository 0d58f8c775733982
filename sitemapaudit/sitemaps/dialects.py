"""The XML formats: which element is an entry, and how to read it.

The formats are urlset and sitemapindex (sitemaps.org protocol 0.9, with any prefix, a legacy
namespace or none), RSS 2.0, 0.9x and 1.0, and Atom 1.0 and 0.3.
"""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from sitemapaudit.caps import cut
from sitemapaudit.items import Entry, Kind
from sitemapaudit.sitemaps.entry_urls import entry_url
from sitemapaudit.sitemaps.protocol_entries import FIELDS, INDEX_FIELDS, EntryReader
from sitemapaudit.sitemaps.w3c_dates import rfc822_datetime, w3c_datetime
from sitemapaudit.sitemaps.xml_stream import Element, Root, keep_entity_names, tag_of, text_of

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
RSS_10: Final = "http://purl.org/rss/1.0/"
RSS_09: Final = "http://my.netscape.com/rdf/simple/0.9/"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
ATOM_03: Final = "http://purl.org/atom/ns#"
DUBLIN_CORE: Final = "http://purl.org/dc/elements/1.1/"


class Dialect(Struct, frozen=True):
    """A format: its kind and version, the tags of its entries, and their reader.

    ``misplaced_tags`` are the entries of the other kind, which appear in a file with the wrong
    root.
    """

    kind: Kind
    version: str | None
    tags: tuple[str, ...]
    read: Callable[[Element, Entry], None]
    misplaced_tags: tuple[str, ...] = ()


def detect_dialect(root: Root) -> Dialect:
    """Detect the format of a file from its root element."""
    namespace = root.namespace
    url, sitemap = tag_of(namespace, "url"), tag_of(namespace, "sitemap")
    match root.name:
        case "urlset":
            read = EntryReader(namespace, FIELDS)
            return Dialect(Kind.URLSET, None, (url,), read, misplaced_tags=(sitemap,))
        case "sitemapindex":
            read = EntryReader(namespace, INDEX_FIELDS)
            return Dialect(Kind.SITEMAPINDEX, None, (sitemap,), read, misplaced_tags=(url,))
        case "rss":
            return Dialect(Kind.RSS, root.version, ("item",), _read_rss_item)
        case "RDF" if namespace == RDF:
            version = "0.90" if RSS_09 in root.prefixes.values() else "1.0"
            tags = tag_of(RSS_10, "item"), tag_of(RSS_09, "item")
            return Dialect(Kind.RSS, version, tags, _read_rss_item)
        case "feed":
            version = "0.3" if namespace == ATOM_03 else "1.0"
            return Dialect(Kind.ATOM, version, (tag_of(namespace, "entry"),), _read_atom_entry)
        case name if name.lower() == "html":
            return Dialect(Kind.HTML, None, (), _read_nothing)
        case _:
            return UNRECOGNIZED


def _set_url(entry: Entry, element: Element) -> None:
    """Set the URL of an entry from its loc."""
    entry.url = entry_url(entry.loc or "", unreliable=entry.recovered or len(element) > 0)


def _read_nothing(element: Element, entry: Entry) -> None:
    """Leave an entry as it is: its format is unknown."""


def _read_rss_item(element: Element, entry: Entry) -> None:
    namespace = element.tag.rpartition("item")[0]
    link = element.find(f"{namespace}link")
    date = element.find(f"{namespace}pubDate")
    if link is not None:
        entry.loc = text_of(link)
        _set_url(entry, link)
    if date is not None:
        entry.lastmod = text_of(date)
        entry.lastmod_at = rfc822_datetime(entry.lastmod)
    else:
        _read_w3c_date(element, entry, (f"{{{DUBLIN_CORE}}}date",))


def _read_atom_entry(element: Element, entry: Entry) -> None:
    namespace = element.tag.rpartition("entry")[0]
    for child in element.iterfind(f"{namespace}link"):
        link = keep_entity_names(child)
        if link.get("rel", "alternate") == "alternate" and link.get("href") is not None:
            entry.loc = cut(link.get("href", ""))
            entry.url = entry_url(entry.loc, unreliable=entry.recovered or link is not child)
            break
    names = ("updated", "modified", "published", "issued")
    _read_w3c_date(element, entry, tuple(namespace + name for name in names))


def _read_w3c_date(element: Element, entry: Entry, tags: tuple[str, ...]) -> None:
    for tag in tags:
        date = element.find(tag)
        if date is not None:
            entry.lastmod = text_of(date)
            parsed = w3c_datetime(entry.lastmod)
            entry.lastmod_at = parsed.at if parsed else None
            return


UNRECOGNIZED: Final = Dialect(Kind.UNKNOWN, None, ("{}entry",), _read_nothing)
"""The format of a file with an unknown root: it has no entries."""
