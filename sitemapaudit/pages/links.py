"""The internal links of a page: each target once, with its region and its nofollow flag.

Most links occur on every page of a site, so resolved addresses are cached. Reading
a link takes about a microsecond.
"""

import re
from collections.abc import Callable, Collection
from functools import cache
from itertools import chain, islice
from operator import add
from typing import Any, Final

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit import urls
from sitemapaudit.caps import MAX_ITEMS
from sitemapaudit.items import Region, Role
from sitemapaudit.pages.selecting import (
    Elements,
    address_of,
    find_elements,
    has_ancestor,
    number_names,
    select,
)

MAX_LINKS: Final = 5 * MAX_ITEMS
"""Targets of a page that are recorded; further ones are only counted."""

NOFOLLOW: Final = 8
"""The bit of a flag byte that says that no occurrence may be followed; below it is the region."""

EDGE_BYTES: Final = 9
"""Bytes of an edge: the digest of its target, and its flags."""

NO_SOURCES: Final = (Role.PROBE, Role.BUILT)
"""Roles of pages whose links do not count: nothing on the site leads to these pages."""

REGIONS: Final = tuple(Region)
_OTHER: Final = REGIONS.index(Region.OTHER)
_BY_TAG: Final = {
    name: REGIONS.index(Region(name)) for name in ("main", "header", "nav", "aside", "footer")
}
_SECTIONS: Final = frozenset(_BY_TAG[name] for name in ("main", "nav", "aside"))

_FRAME: Final = REGIONS.index(Region.FRAME)
_REFRESH: Final = REGIONS.index(Region.REFRESH)

_ANCHORS: Final = ("a", "area")
_ADDRESSES: Final = {"iframe": "src", "frame": "src", "object": "data", "embed": "src"}
"""Elements that show another document as a part of the page, with the attribute that names it."""

_DOCUMENTS: Final = {"iframe": "srcdoc", "template": "shadowrootmode"}
"""Elements that contain a document, if they have this attribute."""

_FRAMES: Final = tuple({**_ADDRESSES, **_DOCUMENTS})

LINK_NAMES: Final = (*_ANCHORS, *_FRAMES, *_BY_TAG)
"""The names of the elements that a reader of links needs."""

_NUMBERS: Final = number_names(LINK_NAMES)

_SCRIPTED: Final = ", ".join(
    f"[{name}*='{word}']"
    for name in ("onclick", "onchange", "href^='javascript:' i][href")
    for word in ("location", "open(", "navigate", ".href")
)
"""Elements that lead somewhere by a script: the targets are unknown."""

_UNFOLLOWED: Final = frozenset({"nofollow", "ugc", "sponsored"})
"""Link types that make a link nofollow (Google, "Qualify your outbound links")."""

_SEPARATOR: Final = re.compile(r"[\s,]+")
"""Google also accepts commas between link types."""

_MAX_KEPT: Final = 100_000
"""Addresses whose targets are kept: about 30 MB."""

_MAX_KEPT_LENGTH: Final = 512
_MAX_FRAMES: Final = 500
"""Frames of a page that are read; more would take seconds."""

_MAX_INNER_TAGS: Final = 10_000
"""Tags of all documents in a page: the time to parse deep ones grows with the square."""


_BUTTONS: Final = ", ".join(
    f"{name}:not([type=submit]):not([aria-pressed]):not([aria-controls])"
    for name in ("button", "[role=button]")
)
_OWN_USE: Final = frozenset({"form", "dialog"})
"""Elements whose buttons send or close them."""


_EXTERNAL: Final = b""
_SCRIPT: Final = b"javascript:"
"""These stand for the digest of an address on another site, and of a script as an address."""

_NO_EDGE: Final = -1


class PageLinks(Struct):
    """The links of one page.

    ``edges`` has ``EDGE_BYTES`` bytes for each of the ``targets``, in their order: its digest and
    its flags. ``unnamed`` has the URLs that no record has named, by their digests; its reader adds
    to it. ``dropped`` is the number of links that are not recorded: targets above ``MAX_LINKS``,
    and those that only a script on the element knows.
    """

    url: str
    digest: bytes
    targets: list[bytes]
    edges: bytes
    unnamed: dict[bytes, str]
    dropped: int = 0

    def take_names(self) -> list[str]:
        """Return the URL of the page, and those of its targets that a record must name."""
        unnamed = self.unnamed
        named = [target for target in self.targets if target in unnamed] if unnamed else ()
        return [self.url, *map(unnamed.pop, named)]

    def forbid_following(self) -> None:
        """Mark all links of the page as nofollow."""
        edges = bytearray(self.edges)
        for place in range(EDGE_BYTES - 1, len(edges), EDGE_BYTES):
            edges[place] |= NOFOLLOW
        self.edges = bytes(edges)


class _Place(Struct, frozen=True):
    """The place of an address, which decides its meaning."""

    base: str
    url: str
    host: str
    encoding: str


class LinkReader:
    """Reads the internal links of pages.

    A link is internal if its host is that of the page, one of ``domains`` or below one.
    ``site_url`` returns the URL of the site for a URL of its staging server.
    """

    def __init__(
        self, domains: Collection[str], site_url: Callable[[str], str] = lambda url: url
    ) -> None:
        self._domains = domains
        self._site_url = site_url
        self._kept: dict[tuple[str, str, str], dict[str, bytes]] = {}
        self._unnamed: dict[bytes, str] = {}
        self._size = 0

    def read(
        self,
        tree: LexborHTMLParser,
        base: str,
        url: str,
        encoding: str = "",
        elements: Elements | None = None,
    ) -> PageLinks:
        """Return the links of a parsed page at ``url``; an empty ``base`` resolves none.

        ``encoding`` is that of the page, unless it is UTF-8. ``elements`` are those of the names
        ``LINK_NAMES``, if known.
        """
        if elements is None:
            elements = find_elements(tree, _NUMBERS)
        digest = urls.digest_bytes(url)
        place = _Place(base, url, urls.host(url), encoding)
        flags = {digest: _NO_EDGE, _EXTERNAL: _NO_EDGE}
        self._read_links(elements, place, flags)
        dropped = self._read_frames(elements, place, flags)
        has_scripts = flags.pop(_SCRIPT, None) is not None
        del flags[digest], flags[_EXTERNAL]
        targets = list(flags)
        dropped += max(0, len(targets) - MAX_LINKS)
        if has_scripts or _may_have_handlers(tree.raw_html or b""):
            dropped += len({node.mem_id for node in select(tree, _SCRIPTED)})
        del targets[MAX_LINKS:]
        return PageLinks(url, digest, targets, _edges(flags), self._unnamed, dropped)

    def add_refreshes(self, links: PageLinks, addresses: Collection[str]) -> None:
        """Add the URLs to which a page goes after some seconds."""
        if not addresses:
            return
        host = urls.host(links.url)
        edges = bytearray(links.edges)
        places = {target: place for place, target in enumerate(links.targets)}
        for address in addresses:
            target = self._digest(address, host)
            if target in places:
                edges[(places[target] + 1) * EDGE_BYTES - 1] = _REFRESH
            elif target not in (_EXTERNAL, links.digest):
                links.targets.append(target)
                edges += target + _FLAGS[_REFRESH]
        links.edges = bytes(edges)

    def _read_frames(
        self,
        elements: Elements,
        place: _Place,
        flags: dict[bytes, int],
    ) -> int:
        """Read the documents in the page, then its frames; return how many are not read."""
        if not any(map(elements.__getitem__, _FRAMES)):
            return 0
        frames = [node for name in _FRAMES for node in elements[name] if _is_frame(name, node)]
        unread, tags = max(0, len(frames) - _MAX_FRAMES), _MAX_INNER_TAGS
        for inner in filter(None, map(_inner_html, frames[:_MAX_FRAMES])):
            tags -= inner.count("<")
            if tags < 0:
                unread += 1
            else:
                inner_elements = find_elements(LexborHTMLParser(inner), _NUMBERS)
                self._read_links(inner_elements, place, flags)
        for address in filter(None, map(_frame_address, frames[:_MAX_FRAMES])):
            target = self._resolve(address, place, {})
            if flags.get(target) != _NO_EDGE:
                flags[target] = _FRAME
        return unread

    def _read_links(
        self,
        elements: Elements,
        place: _Place,
        flags: dict[bytes, int],
    ) -> None:
        regions: dict[int, int] = {}
        targets = self._targets_below(place)
        is_own_base = place.base == place.url
        has_regions = any(map(elements.get, _BY_TAG))
        # This loop runs a hundred times per page: it costs 0.3 µs per link.
        for node in chain.from_iterable(map(elements.__getitem__, _ANCHORS)):
            attributes = node.attributes
            href = attributes.get("href") or address_of(attributes)
            if href is None:
                continue
            target = targets.get(href)
            if target is None:
                if is_own_base and (not href or href[0] == "#"):
                    continue
                target = self._resolve(href, place, targets)
            flag = _region_around(node, regions) if has_regions else _OTHER
            if "rel" in attributes and _is_unfollowed(attributes["rel"]):
                flag |= NOFOLLOW
            known = flags.setdefault(target, flag)
            if known == flag:
                continue
            if known != _NO_EDGE:
                flags[target] = _better(known, flag)

    def _targets_below(self, place: _Place) -> dict[str, bytes]:
        """Return the known targets of the pages of a host whose base is in the same directory."""
        if self._size > _MAX_KEPT:
            self._kept, self._size = {}, 0
        directory = place.base.partition("?")[0].rpartition("/")[0]
        return self._kept.setdefault((place.host, directory, place.encoding), {})

    def _resolve(self, href: str, place: _Place, targets: dict[str, bytes]) -> bytes:
        url = urls.normalize(href, place.base or None, place.encoding)
        is_script = url is None and href[: len(_SCRIPT)].lower() == _SCRIPT.decode()
        target = _SCRIPT if is_script else self._digest(url, place.host)
        # An address without a path depends on the whole base, and not on its directory alone.
        if href and href[0] > " " and href[0] not in "?#" and len(href) <= _MAX_KEPT_LENGTH:
            targets[href] = target
            self._size += 1
        return target

    def _digest(self, url: str | None, host: str) -> bytes:
        """Return the digest of a URL, which a record is to name, unless it is on another site."""
        if url is None:
            return _EXTERNAL
        url = self._site_url(url)
        name = urls.host(url)
        if name != host and not urls.is_below(name, self._domains):
            return _EXTERNAL
        digest = urls.digest_bytes(url)
        self._unnamed[digest] = url
        return digest


def count_buttons(tree: LexborHTMLParser) -> int:
    """Return how many buttons of a page may load more links: a browser does not press them."""
    if not select(tree, "script"):
        return 0
    return sum(not has_ancestor(node, _OWN_USE) for node in select(tree, _BUTTONS)[:_MAX_FRAMES])


def _may_have_handlers(source: bytes) -> bool:
    """Return whether elements of a page may lead somewhere by a script."""
    return _handler().search(source) is not None


@cache
def _handler() -> Any:
    """Return the expression for the attribute of an element that a script handles.

    RE2 ignores case while it reads; Python's expressions take eight times as long.
    """
    import re2  # noqa: PLC0415 - few runs record links

    return re2.compile(rb"(?i)onc(?:lick|hange)\s*=")


def _is_frame(name: str, node: LexborNode) -> bool:
    """Return whether an element shows or contains a document."""
    attributes = node.attributes
    return _ADDRESSES.get(name) in attributes or _DOCUMENTS.get(name) in attributes


def _inner_html(element: LexborNode) -> str | None:
    """Return the document in an element, if there is one; that in a template is in no tree."""
    if element.tag != "template":
        return element.attributes.get("srcdoc")
    html = element.html or ""
    return html[html.find(">") + 1 : html.rfind("<")]


def _frame_address(element: LexborNode) -> str:
    address = element.attributes.get(_ADDRESSES.get(element.tag or "", ""), "")
    return (address or "").strip()


def _is_unfollowed(rel: str | None) -> bool:
    return bool(rel) and not _UNFOLLOWED.isdisjoint(_SEPARATOR.split((rel or "").lower()))


def _better(flag: int, other: int) -> int:
    """Return the flags of two occurrences: the better region, and nofollow only if both have it."""
    return min(flag & ~NOFOLLOW, other & ~NOFOLLOW) | (flag & other & NOFOLLOW)


_FLAGS: Final = [bytes([flag]) for flag in range(2 * NOFOLLOW)]


def _edges(flags: dict[bytes, int]) -> bytes:
    """Return the first edges, from the flags of the targets by their digests."""
    kinds = {*flags.values()}
    if len(kinds) == 1 and len(flags) <= MAX_LINKS:
        flag = _FLAGS[kinds.pop()]
        return flag.join(flags) + flag
    edges = map(add, flags, map(_FLAGS.__getitem__, flags.values()))
    return b"".join(islice(edges, MAX_LINKS))


def _region_around(element: LexborNode, known: dict[int, int]) -> int:
    parent = element.parent or element
    region = known.get(parent.mem_id)
    return _region_inside(parent, known) if region is None else region


def _region_inside(element: LexborNode | None, known: dict[int, int]) -> int:
    """Return the region inside an element.

    That is the nearest ``main``, ``nav`` or ``aside``, otherwise a ``header`` or ``footer``.
    ``known`` has the regions by the addresses of elements.
    """
    unknown: list[LexborNode] = []
    region: int | None = None
    while element is not None and (region := known.get(element.mem_id)) is None:
        unknown.append(element)
        element = element.parent
    region = _OTHER if region is None else region
    for element in reversed(unknown):
        own = _BY_TAG.get(element.tag or "")
        if own is not None and (own in _SECTIONS or region not in _SECTIONS):
            region = own
        known[element.mem_id] = region
    return region
