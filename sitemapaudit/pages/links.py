"""The internal links of a page: each target once, with its region and its nofollow flag.

Most links occur on every page of a site, so resolved addresses are cached. Reading
a link takes about a microsecond.
"""

import re
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from operator import add
from typing import Final

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapaudit import urls
from sitemapaudit.caps import MAX_ITEMS
from sitemapaudit.items import Region, Role
from sitemapaudit.pages.selecting import address_of, has_ancestor, select

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
_BY_TAG: Final = {region.value: number for number, region in enumerate(REGIONS)}
_SECTIONS: Final = frozenset(_BY_TAG[name] for name in ("main", "nav", "aside"))

_FRAME: Final = REGIONS.index(Region.FRAME)
_REFRESH: Final = REGIONS.index(Region.REFRESH)

_SELECTOR: Final = "a[href], area[href]"
_FRAMES: Final = (
    "iframe[src], frame[src], object[data], embed[src], iframe[srcdoc], template[shadowrootmode]"
)
"""Elements that show another document as a part of the page, or contain one."""

_HANDLERS: Final = re.compile(rb"onclick|onchange|javascript:", re.IGNORECASE)
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


class Target(Struct):
    """A URL and its digest; ``is_known`` once another record has named it.

    Without a digest, the URL belongs to another site.
    """

    digest: bytes
    url: str
    is_known: bool = False


_EXTERNAL: Final = Target(b"", "")
_NO_EDGE: Final = -1


class PageLinks(Struct):
    """The links of one page.

    ``edges`` has ``EDGE_BYTES`` bytes for each of the ``targets``, in their order: its digest and
    its flags. ``dropped`` is the number of links that are not recorded: targets above
    ``MAX_LINKS``, and those that only a script on the element knows.
    """

    source: Target
    targets: list[Target]
    edges: bytes
    dropped: int = 0

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
        self._kept: dict[tuple[str, str, str], dict[str, Target]] = {}
        self._size = 0

    def read(self, tree: LexborHTMLParser, base: str, url: str, encoding: str = "") -> PageLinks:
        """Return the links of a parsed page at ``url``; an empty ``base`` resolves none.

        ``encoding`` is that of the page, unless it is UTF-8.
        """
        source = Target(_digest(url), url)
        place = _Place(base, url, urls.host(url), encoding)
        flags = {source.digest: _NO_EDGE, _EXTERNAL.digest: _NO_EDGE}
        found: list[Target] = []
        self._read_links(tree, place, found, flags)
        dropped = self._read_frames(tree, place, found, flags) + max(0, len(found) - MAX_LINKS)
        if _HANDLERS.search(tree.raw_html or b""):
            dropped += len({node.mem_id for node in select(tree, _SCRIPTED)})
        del found[MAX_LINKS:], flags[source.digest], flags[_EXTERNAL.digest]
        edges = map(add, flags, map(_FLAGS.__getitem__, flags.values()))
        return PageLinks(source, found, b"".join(islice(edges, MAX_LINKS)), dropped)

    def add_refreshes(self, links: PageLinks, addresses: Iterable[str]) -> None:
        """Add the URLs to which a page goes after some seconds."""
        host = urls.host(links.source.url)
        edges = bytearray(links.edges)
        places = {target.digest: place for place, target in enumerate(links.targets)}
        for address in addresses:
            target = self._new_target(address, host)
            if target.digest in places:
                edges[(places[target.digest] + 1) * EDGE_BYTES - 1] = _REFRESH
            elif target is not _EXTERNAL and target.digest != links.source.digest:
                links.targets.append(target)
                edges += target.digest + _FLAGS[_REFRESH]
        links.edges = bytes(edges)

    def _read_frames(
        self,
        tree: LexborHTMLParser,
        place: _Place,
        found: list[Target],
        flags: dict[bytes, int],
    ) -> int:
        """Read frames and the documents in the page; return how many are not read."""
        frames, tags = select(tree, _FRAMES), _MAX_INNER_TAGS
        unread = max(0, len(frames) - _MAX_FRAMES)
        for node in frames[:_MAX_FRAMES]:
            attributes = node.attributes
            inner = _template_html(node) if node.tag == "template" else attributes.get("srcdoc")
            tags -= inner.count("<") if inner else 0
            if inner and tags < 0:
                unread += 1
            elif inner:
                self._read_links(LexborHTMLParser(inner), place, found, flags)
            address = (attributes.get("src") or attributes.get("data") or "").strip()
            if address:
                target = self._resolve(address, place, {})
                known = flags.get(target.digest)
                if known is None:
                    found.append(target)
                if known != _NO_EDGE:
                    flags[target.digest] = _FRAME
        return unread

    def _read_links(
        self,
        tree: LexborHTMLParser,
        place: _Place,
        found: list[Target],
        flags: dict[bytes, int],
    ) -> None:
        regions: dict[int, int] = {}
        targets = self._targets_below(place)
        is_own_base = place.base == place.url
        # This loop runs a hundred times per page: it costs 0.8 µs per link.
        for node in select(tree, _SELECTOR):
            attributes = node.attributes
            href = address_of(attributes)
            target = targets.get(href)
            if target is None:
                if is_own_base and href[:1] == "#":
                    continue
                target = self._resolve(href, place, targets)
            parent = node.parent or node
            flag = regions.get(parent.mem_id)
            if flag is None:
                flag = _region_inside(parent, regions)
            if "rel" in attributes and _is_unfollowed(attributes["rel"]):
                flag |= NOFOLLOW
            known = flags.get(target.digest)
            if known is None:
                flags[target.digest] = flag
                found.append(target)
            elif known != _NO_EDGE:
                flags[target.digest] = _better(known, flag)

    def _targets_below(self, place: _Place) -> dict[str, Target]:
        """Return the known targets of the pages of a host whose base is in the same directory."""
        if self._size > _MAX_KEPT:
            self._kept, self._size = {}, 0
        directory = place.base.partition("?")[0].rpartition("/")[0]
        return self._kept.setdefault((place.host, directory, place.encoding), {})

    def _resolve(self, href: str, place: _Place, targets: dict[str, Target]) -> Target:
        url = urls.normalize(href, place.base or None, place.encoding)
        target = self._new_target(url, place.host)
        # An address without a path depends on the whole base, and not on its directory alone.
        if href and href[0] > " " and href[0] not in "?#" and len(href) <= _MAX_KEPT_LENGTH:
            targets[href] = target
            self._size += 1
        return target

    def _new_target(self, url: str | None, host: str) -> Target:
        if url is None:
            return _EXTERNAL
        url = self._site_url(url)
        name = urls.host(url)
        if name != host and not urls.is_below(name, self._domains):
            return _EXTERNAL
        return Target(_digest(url), url)


def count_buttons(tree: LexborHTMLParser) -> int:
    """Return how many buttons of a page may load more links: a browser does not press them."""
    if not select(tree, "script"):
        return 0
    return sum(not has_ancestor(node, _OWN_USE) for node in select(tree, _BUTTONS)[:_MAX_FRAMES])


def _template_html(template: LexborNode) -> str:
    """Return the content of a template, which is in no tree."""
    html = template.html or ""
    return html[html.find(">") + 1 : html.rfind("<")]


def _digest(url: str) -> bytes:
    return urls.digest(url).to_bytes(8, "big")


def _is_unfollowed(rel: str | None) -> bool:
    return bool(rel) and not _UNFOLLOWED.isdisjoint(_SEPARATOR.split((rel or "").lower()))


def _better(flag: int, other: int) -> int:
    """Return the flags of two occurrences: the better region, and nofollow only if both have it."""
    return min(flag & ~NOFOLLOW, other & ~NOFOLLOW) | (flag & other & NOFOLLOW)


_FLAGS: Final = [bytes([flag]) for flag in range(2 * NOFOLLOW)]


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
