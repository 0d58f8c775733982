"""The XML formats: which element is an entry, and how it is read.

urlset and sitemapindex (sitemaps.org protocol 0.9, any prefix, legacy
namespaces, none), RSS 2.0, 0.9x and 1.0, Atom 1.0 and 0.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sitemapaudit.items import Entry, Kind
from sitemapaudit.sitemaps.addresses import url_of
from sitemapaudit.sitemaps.dates import rfc822_datetime, w3c_datetime
from sitemapaudit.sitemaps.protocol import FIELDS, INDEX_FIELDS, EntryReader
from sitemapaudit.sitemaps.xml import Element, Root, tag_of, text_of, with_names

NAMESPACE: Final = "http://www.sitemaps.org/schemas/sitemap/0.9"
RSS_10: Final = "http://purl.org/rss/1.0/"
RSS_09: Final = "http://my.netscape.com/rdf/simple/0.9/"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
ATOM_03: Final = "http://purl.org/atom/ns#"
DUBLIN_CORE: Final = "http://purl.org/dc/elements/1.1/"


@dataclass(slots=True, frozen=True)
class Dialect:
    """A format: its kind and version, the tags of its entries, and their reader.

    ``others`` are tags that stand among the entries of a file whose root is the wrong one.
    """

    kind: Kind
    version: str | None
    tags: tuple[str, ...]
    read: Callable[[Element, Entry], None]
    others: tuple[str, ...] = ()


def dialect_of(root: Root) -> Dialect:
    """Return the format of a file by its root element."""
    namespace = root.namespace
    url, sitemap = tag_of(namespace, "url"), tag_of(namespace, "sitemap")
    match root.name:
        case "urlset":
            read = EntryReader(namespace, FIELDS)
            return Dialect(Kind.URLSET, None, (url,), read, others=(sitemap,))
        case "sitemapindex":
            read = EntryReader(namespace, INDEX_FIELDS)
            return Dialect(Kind.SITEMAPINDEX, None, (sitemap,), read, others=(url,))
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
            return UNRECOGNISED


def _locate(entry: Entry, element: Element) -> None:
    """Set the URL of a loc that is already set."""
    entry.url = url_of(entry.loc or "", doubtful=entry.recovered or len(element) > 0)


def _read_nothing(element: Element, entry: Entry) -> None:
    """Leave an entry of no known format as it is."""


def _read_rss_item(element: Element, entry: Entry) -> None:
    home = element.tag.rpartition("item")[0]
    link = element.find(f"{home}link")
    date = element.find(f"{home}pubDate")
    if link is not None:
        entry.loc = text_of(link)
        _locate(entry, link)
    if date is not None:
        entry.lastmod = text_of(date)
        entry.lastmod_at = rfc822_datetime(entry.lastmod)
    else:
        _read_w3c_date(element, entry, (f"{{{DUBLIN_CORE}}}date",))


def _read_atom_entry(element: Element, entry: Entry) -> None:
    home = element.tag.rpartition("entry")[0]
    for child in element.iterfind(f"{home}link"):
        link = with_names(child)
        if link.get("rel", "alternate") == "alternate" and link.get("href") is not None:
            entry.loc = link.get("href", "")
            entry.url = url_of(entry.loc, doubtful=entry.recovered or link is not child)
            break
    names = ("updated", "modified", "published", "issued")
    _read_w3c_date(element, entry, tuple(home + name for name in names))


def _read_w3c_date(element: Element, entry: Entry, tags: tuple[str, ...]) -> None:
    for tag in tags:
        date = element.find(tag)
        if date is not None:
            entry.lastmod = text_of(date)
            moment = w3c_datetime(entry.lastmod)
            entry.lastmod_at = moment.at if moment else None
            return


UNRECOGNISED: Final = Dialect(Kind.UNKNOWN, None, ("{}entry",), _read_nothing)
"""What has none of the known roots: nothing in it is an entry."""
