"""Graphs: the redirects of listed URLs, as chains and loops."""

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from random import Random
from typing import Final

import duckdb
import networkx as nx

from sitemapaudit.datasets.url_table import CHAINS
from tests.builds.oracles.tools import Tools
from tests.oracles.oracle import Comparison, Oracle

Edges = tuple[int | None, ...]
"""The target of each URL; None if it does not redirect."""

_MOST: Final = 9
"""URLs of a website, whose chains are then read to their ends."""


class _Redirects(Oracle[Edges]):
    """Redirects are a graph in which each URL has one target at most."""

    name = "networkx"
    in_tests = 100

    def install(self, _tools: Tools) -> str:
        return f"networkx {version('networkx')}"

    def random_case(self, random: Random) -> Edges:
        number = random.randint(1, _MOST)
        return tuple(random.choice((None, *range(number))) for _ in range(number))

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
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(edges)))
    graph.add_edges_from((url, target) for url, target in enumerate(edges) if target is not None)
    looping = {url for cycle in nx.simple_cycles(graph) for url in cycle}
    chains: dict[int, object] = {}
    for url, target in enumerate(edges):
        if target is not None:
            reached = nx.descendants(graph, url) | {url}
            ends = [each for each in reached if not graph.out_degree(each)]
            loops = not looping.isdisjoint(reached)
            chains[url] = "loop" if loops else nx.shortest_path(graph, url, ends[0])
    return chains


COMPARISONS: Final[Sequence[Comparison]] = (_Redirects(),)
