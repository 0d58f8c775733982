"""Websites that are graphs: what their pages link to is known, and what an audit must find.

networkx is imported where it is used: that takes a while, in each test process.
"""

# ruff: noqa: PLC0415 - see above
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from sitemapaudit import urls
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.items import Region

if TYPE_CHECKING:
    import networkx as nx

STYLES = ("absolute", "root", "relative", "fragment", "no-scheme")
RELATIONS = ("", "nofollow", "UGC noopener", "sponsored,ugc", "noopener")
UNFOLLOWED = ("nofollow", "UGC noopener", "sponsored,ugc")
FIRST = 20
"""Pages that a website serves before it is open."""

BASE = "/base/of/addresses/"


@dataclass(frozen=True)
class Anchor:
    """A link in the source of a page; ``target`` is the number of a URL."""

    target: int
    style: str
    rel: str
    region: Region


@dataclass(frozen=True)
class Graph:
    """A website: the anchors of each page, whether it has a base, and what redirects where."""

    anchors: tuple[tuple[Anchor, ...], ...]
    bases: tuple[bool, ...]
    canonicals: tuple[int | None, ...]
    redirects: tuple[int, ...]

    def path(self, number: int) -> str:
        """Return the path of a URL: pages come first, then what redirects."""
        if number == 0:
            return "/"
        if number >= len(self.anchors):
            return f"/old/{number}"
        return f"/folder{number}/" if number % 2 else f"/section/page{number}?id={number}"

    @property
    def size(self) -> int:
        """The number of URLs."""
        return len(self.anchors) + len(self.redirects)

    def edges(self) -> dict[tuple[str, str], tuple[bool, str]]:
        """Return the links that an audit must record, with nofollow and region."""
        found: dict[tuple[str, str], tuple[bool, str]] = {}
        order = list(Region)
        for source, anchors in enumerate(self.anchors):
            for each in anchors:
                if each.target == source:
                    continue
                key = self.path(source), self.path(each.target)
                nofollow, region = each.rel in UNFOLLOWED, each.region
                if key in found:
                    nofollow = nofollow and found[key][0]
                    region = min(region, Region(found[key][1]), key=order.index)
                found[key] = nofollow, region.value
        return found

    def arrivals(self, number: int) -> set[int]:
        """Return a URL, and those that it leads to through redirects."""
        reached = {number}
        while (index := number - len(self.anchors)) >= 0:
            number = self.redirects[index]
            if number in reached:
                break
            reached.add(number)
        return reached

    def network(self) -> "nx.DiGraph[str]":
        """Return the links, those through redirects included; a redirect costs nothing."""
        import networkx as nx

        network: nx.DiGraph[str] = nx.DiGraph()
        network.add_nodes_from(map(self.path, range(self.size)))
        numbers = {self.path(number): number for number in range(self.size)}
        for (source, target), (nofollow, _) in self.edges().items():
            for number in self.arrivals(numbers[target]):
                here = self.path(number)
                if here != source:
                    known = network.get_edge_data(source, here, {"nofollow": True})["nofollow"]
                    network.add_edge(source, here, nofollow=nofollow and known)
        return network

    def figures(self) -> dict[str, tuple[int, int, int | None, bool]]:
        """Return the inlinks, those to follow, the clicks of each URL, and if only orphans link."""
        import networkx as nx

        network = self.network()
        lengths = nx.single_source_shortest_path_length(network, "/")
        return {
            path: (
                network.in_degree(path),
                sum(not data["nofollow"] for *_, data in network.in_edges(path, data=True)),
                lengths.get(path),
                path != "/"
                and network.in_degree(path) > 0
                and lengths.keys().isdisjoint(network.pred[path]),
            )
            for path in network
        }


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Draw a website of some pages and redirects."""
    pages = draw(st.integers(2, 12))
    moved = draw(st.integers(0, 5))
    numbers = st.integers(0, pages + moved - 1)
    anchor = st.builds(
        Anchor,
        numbers,
        st.sampled_from(STYLES),
        st.sampled_from(RELATIONS),
        st.sampled_from([each for each in Region if each not in (Region.FRAME, Region.REFRESH)]),
    )
    page_numbers = st.none() | st.integers(0, pages - 1)
    return Graph(
        tuple(
            draw(st.lists(st.lists(anchor, max_size=5).map(tuple), min_size=pages, max_size=pages))
        ),
        tuple(draw(st.lists(st.booleans(), min_size=pages, max_size=pages))),
        tuple(draw(st.lists(page_numbers, min_size=pages, max_size=pages))),
        tuple(draw(st.lists(numbers, min_size=moved, max_size=moved))),
    )


class GraphSite(Server):
    """Serves a graph; its sitemap lists every URL except those in ``unlisted``.

    Pages above the ``first`` wait until the website is ``open``.
    """

    def __init__(
        self, graph: Graph, unlisted: frozenset[int] = frozenset(), first: int = FIRST
    ) -> None:
        super().__init__(self._reply)
        self.graph = graph
        self.open = Event()
        self.open.set()
        self._unlisted = unlisted
        self._first = first
        self._numbers = {graph.path(number): number for number in range(graph.size)}

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {self.origin}/sitemap.xml", headers=[TEXT])
        if request.path == "/sitemap.xml":
            listed = (
                path for path, number in self._numbers.items() if number not in self._unlisted
            )
            return xml(urlset(entry(self.origin + path) for path in listed))
        number = self._numbers.get(request.path)
        if number is None:
            return Reply(status=404)
        if number >= self._first:
            self.open.wait()
        if number >= len(self.graph.anchors):
            target = self.graph.redirects[number - len(self.graph.anchors)]
            return Reply(status=301, headers=[("Location", self.graph.path(target))])
        return self._page(number)

    def _page(self, number: int) -> Reply:
        graph = self.graph
        canonical = graph.canonicals[number]
        base = BASE if graph.bases[number] else graph.path(number)
        markup = "".join(self._markup(anchor, base) for anchor in graph.anchors[number])
        reply = page(
            f"Page {number}",
            head=f"<base href='{BASE}'>" if graph.bases[number] else "",
            canonical=None if canonical is None else self.origin + graph.path(canonical),
        )
        # The header of the demo's pages has a link home, which a graph may not have.
        source = str(reply.body).replace("<a href='/'>Demo shop</a>", "")
        return Reply(source.replace("</body>", f"{markup}</body>"), headers=reply.headers)

    def _markup(self, anchor: Anchor, base: str) -> str:
        href = _href(anchor.style, base, self.origin, self.graph.path(anchor.target))
        rel = f" rel='{anchor.rel}'" if anchor.rel else ""
        link = f"<ul><li><a{rel} href='{href}'>a link</a></li></ul>"
        tag = anchor.region.value
        return link if tag == "other" else f"<{tag}><div>{link}</div></{tag}>"


def _href(style: str, base: str, origin: str, path: str) -> str:
    match style:
        case "absolute":
            return origin + path
        case "fragment":
            return f"{path}#part"
        case "no-scheme":
            return f"//{urls.authority(origin + '/')}{path}"
        case "relative":
            name, _, query = path.partition("?")
            found = posixpath.relpath(name, base.partition("?")[0].rpartition("/")[0] or "/")
            slash = "/" if name.endswith("/") else ""
            return found + slash + (f"?{query}" if query else "")
    return path


def ring(pages: int) -> Graph:
    """Return a website in which each page links to the next ones, and to some old addresses."""

    def anchors(number: int) -> Iterator[Anchor]:
        for step in (1, 7, 30):
            yield Anchor((number + step) % pages, "root", "", Region.MAIN)
        yield Anchor(pages + number % 10, "absolute", "nofollow", Region.FOOTER)

    every = tuple(tuple(anchors(number)) for number in range(pages))
    return Graph(every, (False,) * pages, (None,) * pages, tuple(range(10, 20)))
