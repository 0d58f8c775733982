"""Graphs: redirects, canonicals and alternates of listed URLs, as chains, loops and pairs.

networkx is imported where it is used: that takes a while, in each test process.
"""

# ruff: noqa: PLC0415 - see above
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from random import Random
from typing import TYPE_CHECKING, Any, Final

import duckdb

from sitemapaudit.datasets.url_table import CHAINS
from sitemapaudit.items import Alternate, Page
from tests.builds.oracles.tools import Tools
from tests.oracles.oracle import Case, Comparison, Oracle
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import fetched_page, listed, sitemap_of

if TYPE_CHECKING:
    import networkx as nx

Edges = tuple[int | None, ...]
"""The target of each URL; None if it has none."""

Pairs = tuple[frozenset[int], ...]
"""The alternates of each URL."""

_MOST: Final = 9
"""URLs of a website, whose chains are then read to their ends."""

_MOST_ALTERNATES: Final = 6
"""URLs of a website with alternates: a message names up to five."""

_ORIGIN: Final = "https://www.example.com"
_URL: Final = re.compile(rf"{_ORIGIN}/\d+/\d+")


class _Graphs(Oracle[Case]):
    """Graphs whose nodes are the URLs of a website."""

    in_tests = 100

    def install(self, _tools: Tools) -> str:
        return f"networkx {version('networkx')}: {self.name}"


class _SingleTargets(_Graphs[Edges]):
    """Graphs in which each URL has one target at most."""

    def random_case(self, random: Random) -> Edges:
        number = random.randint(1, _MOST)
        return tuple(random.choice((None, *range(number))) for _ in range(number))


class _Redirects(_SingleTargets):
    """The chains and loops of redirects."""

    name = "redirects"

    def theirs(self, cases: Sequence[Edges]) -> Iterable[object]:
        return map(_follow, cases)

    def ours(self, cases: Sequence[Edges]) -> Iterable[object]:
        rows = [
            (f"{case}/{url}", None if target is None else f"{case}/{target}")
            for case, edges in enumerate(cases)
            for url, target in enumerate(edges)
        ]
        with duckdb.connect() as connection:
            connection.execute("create table pages (url text, target text)")
            connection.execute(
                "insert into pages select unnest($1), unnest($2)",
                [*map(list, zip(*rows, strict=True))],
            )
            connection.execute("create view listed as select url from pages")
            columns = "url, redirect_loop, redirect_chain, final_url"
            found = connection.execute(f"select {columns} from ({CHAINS})").fetchall()
        answers: list[dict[int, object]] = [{} for _ in cases]
        for url, loops, chain, final in found:
            case, number = map(int, url.split("/"))
            path = [int(each.partition("/")[2]) for each in (*chain, final)]
            answers[case][number] = "loop" if loops else path
        return answers


def _follow(edges: Edges) -> dict[int, object]:
    """Return the chain of each URL that redirects, or that it leads into a loop."""
    import networkx as nx

    graph = _graph(edges)
    looping = {url for cycle in nx.simple_cycles(graph) for url in cycle}
    chains: dict[int, object] = {}
    for url, target in enumerate(edges):
        if target is not None:
            reached = nx.descendants(graph, url) | {url}
            ends = [each for each in reached if not graph.out_degree(each)]
            loops = not looping.isdisjoint(reached)
            chains[url] = "loop" if loops else nx.shortest_path(graph, url, ends[0])
    return chains


class _Canonicals(_SingleTargets):
    """The chains of canonicals; a URL without a canonical ends them."""

    name = "canonicals"

    def theirs(self, cases: Sequence[Edges]) -> Iterable[object]:
        return map(_chains, cases)

    def ours(self, cases: Sequence[Edges]) -> Iterable[object]:
        pages = [
            _page(case, url, canonical=None if target is None else _url(case, target))
            for case, edges in enumerate(cases)
            for url, target in enumerate(edges)
        ]
        answers: list[dict[int, object]] = [{} for _ in cases]
        for case, url, severity, named in _findings("canonical-chain", pages):
            answers[case][url] = (severity, named)
        return answers


def _chains(edges: Edges) -> dict[int, object]:
    """Return the canonical chain of each URL that has one, and whether it returns to the URL."""
    import networkx as nx

    graph = _graph(edges)
    graph.remove_edges_from([*nx.selfloop_edges(graph)])
    chains: dict[int, object] = {}
    for url in graph:
        # A walk along single edges ends without an edge, or at a URL that it has reached before.
        walk = [target for _, target in nx.edge_dfs(graph, url)]
        if len(walk) > 1:
            chains[url] = ("error" if walk[-1] == url else "warning", walk)
    return chains


class _Alternates(_Graphs[Pairs]):
    """Alternates are a graph in which each edge should have one in the other direction."""

    name = "alternates"

    def random_case(self, random: Random) -> Pairs:
        number = random.randint(2, _MOST_ALTERNATES)
        most = random.randint(0, number)
        return tuple(frozenset(random.sample(range(number), most)) for _ in range(number))

    def theirs(self, cases: Sequence[Pairs]) -> Iterable[object]:
        return map(_unreturned, cases)

    def ours(self, cases: Sequence[Pairs]) -> Iterable[object]:
        pages = [
            _page(case, url, alternates=[_alternate(case, target) for target in targets])
            for case, pairs in enumerate(cases)
            for url, targets in enumerate(pairs)
        ]
        answers: list[dict[int, object]] = [{} for _ in cases]
        for case, url, _, named in _findings("hreflang-no-return", pages):
            answers[case][url] = named
        return answers


def _unreturned(pairs: Pairs) -> dict[int, object]:
    """Return the alternates of each URL that do not have it as their alternate."""
    import networkx as nx

    graph = nx.DiGraph((url, target) for url, targets in enumerate(pairs) for target in targets)
    returned = graph.to_undirected(reciprocal=True)
    missing = nx.difference(graph, returned.to_directed())
    return {url: sorted(missing[url]) for url in missing if missing[url]}


def _graph(edges: Edges) -> "nx.DiGraph":
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from((url, target) for url, target in enumerate(edges) if target is not None)
    return graph


def _url(case: int, number: int) -> str:
    return f"{_ORIGIN}/{case}/{number}"


def _page(case: int, number: int, **values: Any) -> Page:
    return fetched_page(_url(case, number), is_html=True, noindex=False, **values)


def _alternate(case: int, number: int) -> Alternate:
    return Alternate("tag", "alternate", "de", url := _url(case, number), url)


def _findings(rule: str, pages: Sequence[Page]) -> Iterator[tuple[int, int, str, list[int]]]:
    """Yield the case, the URL, the severity and the named URLs of each finding of a rule."""
    entries = listed(*(page.url for page in pages))
    tables = tables_of([sitemap_of(entries), entries, *pages], rule)
    for url, severity, message in rule_on(tables, rule):
        case, number = _numbers(url or "")
        yield case, number, severity, [_numbers(each)[1] for each in _URL.findall(message)]


def _numbers(url: str) -> tuple[int, int]:
    case, number = url.removeprefix(f"{_ORIGIN}/").split("/")
    return int(case), int(number)


COMPARISONS: Final[Sequence[Comparison]] = (_Redirects(), _Canonicals(), _Alternates())
