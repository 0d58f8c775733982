"""links=crawl: what pages link to and no sitemap lists is fetched, once, as far as limits allow."""

import random
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemapaudit import Run, urls
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.items import Region
from tests.crawling.links.graphs import UNFOLLOWED, Anchor, Graph, GraphSite, graphs, ring
from tests.crawling.links.runs import by_path, query_rows, roles
from tests.runs.killing import finish, kill, start, wait_for_pages, wait_for_run
from tests.support.audits import crawl
from tests.support.settings import QUICK

RULES = QUICK["AUDIT_RULES"]


def reachable(graph: Graph, listed: set[int], *, home: int = 0) -> set[int]:
    """Return the URLs that a crawl reaches, from what is listed and the home page."""
    reached: set[int] = set()
    waiting = sorted(listed | {home})
    while waiting:
        number = waiting.pop()
        if number in reached:
            continue
        reached.add(number)
        if number >= len(graph.anchors):
            waiting.append(graph.redirects[number - len(graph.anchors)])
            continue
        if (canonical := graph.canonicals[number]) is not None:
            waiting.append(canonical)
        waiting += [each.target for each in graph.anchors[number] if each.rel not in UNFOLLOWED]
    return reached


WEBSITES = st.lists(st.tuples(graphs(), st.sets(st.integers(0, 17))), min_size=5, max_size=8)
"""Graphs, and the numbers of the URLs that their sitemaps do not list."""


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(WEBSITES)
def test_everything_that_can_be_reached_is_fetched_once(
    websites: list[tuple[Graph, set[int]]],
) -> None:
    with tempfile.TemporaryDirectory() as audits, ExitStack() as stack:
        sites = [stack.enter_context(GraphSite(graph, frozenset(u))) for graph, u in websites]
        origins = ",".join(site.origin for site in sites)
        audited = crawl(Path(audits), {"site": origins, "links": "crawl"}, QUICK)
        assert audited.run.path.exists(), audited.log
        found = [roles(audited.run.path, f"{site.origin}/") for site in sites]
    for (graph, unlisted), site, pages in zip(websites, sites, found, strict=True):
        listed = set(range(graph.size)) - unlisted
        assert pages.keys() == {graph.path(number) for number in reachable(graph, listed)}
        assert {path for path, role in pages.items() if role == "listed"} == {
            graph.path(number) for number in listed
        }
        assert {by_path(site)[path] for path in pages} <= {1}


class Trap(Server):
    """A website whose calendar never ends; its sitemap lists the home page."""

    slow = ""
    """The path of a page that arrives after the others."""

    def __init__(self, links: dict[str, list[str]] | None = None, robots: str = "") -> None:
        super().__init__(self._reply)
        self._links = links or {}
        self._robots = robots

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"{self._robots}Sitemap: {self.origin}/sitemap.xml", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(urlset([entry(f"{self.origin}/")]))
        if request.path.startswith("/calendar/"):
            day = int(request.path.rpartition("/")[2])
            links = [f"/calendar/{day + 1}", f"/calendar/{day * 2 + 7}", "/about"]
        else:
            links = self._links.get(request.path, [])
        anchors = "".join(f"<a href='{link}'>a link</a>" for link in links)
        source = str(page("Page").body).replace("<a href='/'>Demo shop</a>", "")
        html = source.replace("</body>", f"{anchors}</body>")
        delay = 0.2 if request.path == self.slow else 0.0
        return Reply(html, headers=page("Page").headers, delay=delay)


class Recovering(Server):
    """Lists a page that leads to another, which leads to a third; the first two fail at first."""

    links: ClassVar = {"/": "/second", "/second": "/third", "/third": "/"}

    def __init__(self) -> None:
        super().__init__(self._reply)

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {self.origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(urlset([entry(f"{self.origin}/")]))
        if request.path != "/third" and self.requests[request.host + request.path] < 3:
            return Reply(reset=True)
        return page(request.path, body=f"<a href='{self.links[request.path]}'>Next</a>")


@dataclass(frozen=True)
class Crawled:
    """Three websites that were audited together."""

    trap: Trap
    limited: Trap
    recovering: Recovering
    run: Run

    def roles(self, site: Server) -> dict[str, str]:
        """Return why each page of a website was fetched."""
        return roles(self.run.path, f"{site.origin}/")


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    links = {
        "/": ["/private/a", "/cart", "/b", "http://127.0.0.9/c", "mailto:a@b.example", "/d.pdf"],
        "/b": ["/e"],
    }
    robots = "User-agent: *\nDisallow: /private/\n"
    with Trap({"/": ["/calendar/1"]}) as trap, Trap(links, robots) as limited, Recovering() as last:
        origins = ",".join(site.origin for site in (trap, limited, last))
        arguments = {"site": origins, "links": "crawl", "exclude": "/cart"}
        chosen = {**QUICK, "AUDIT_MAX_SIMILAR": "25"}
        audited = crawl(tmp_path_factory.mktemp("crawled"), arguments, chosen)
        return Crawled(trap, limited, last, audited.run)


@pytest.mark.xdist_group("crawled-links")
def test_a_trap_is_left_after_some_pages(crawled: Crawled) -> None:
    found = crawled.roles(crawled.trap)
    assert sum(path.startswith("/calendar/") for path in found) == 25
    assert found["/about"] == "link"
    manifest, host = crawled.run.manifest, crawled.trap.origin.removeprefix("http://")
    assert manifest.unfollowed["AUDIT_MAX_SIMILAR"] == manifest.similar[f"{host}/calendar/*"] > 0
    assert manifest.limits == manifest.unfollowed
    assert not manifest.complete


def test_limits_choose_the_same_links_whatever_arrives_first(tmp_path: Path) -> None:
    chosen = {**QUICK, "AUDIT_MAX_LINKED": "9", "AUDIT_MAX_SIMILAR": "4"}
    links = {"/": ["/a", "/b"]}
    for name, days in (("a", range(6)), ("b", range(6, 12))):
        links[f"/{name}"] = [f"/day/{day}" for day in days] + [f"/{name}/{n}/x" for n in "xyz"]
    found = []
    with Trap(links) as site:
        for site.slow in ("/a", "/b"):
            audits = tmp_path / site.slow[1:]
            audited = crawl(audits, {"site": site.origin, "links": "crawl"}, chosen)
            manifest = audited.run.manifest
            found.append((roles(audited.run.path), manifest.limits))
            assert manifest.unfollowed == manifest.limits
            assert manifest.limits["AUDIT_MAX_LINKED"] > 0
            skipped = {f"{name} skipped {n}" for name, n in manifest.limits.items()}
            assert {*str(manifest.reason).split("; ")} == skipped
            assert not manifest.complete
            assert audited.status == 3
    assert found[0] == found[1]
    assert Counter(found[0][0].values()) == {"listed": 1, "link": 9}
    assert sum(found[0][1].values()) == 20 - 9


@pytest.mark.xdist_group("crawled-links")
def test_filters_robots_and_other_sites_are_respected(crawled: Crawled) -> None:
    assert crawled.roles(crawled.limited) == {
        "/": "listed", "/b": "link", "/d.pdf": "link", "/e": "link", "/private/a": "link"
    }  # fmt: skip
    assert "/private/a" not in by_path(crawled.limited)
    origins = {
        urls.origin(url)
        for (url,) in query_rows(f"select url from '{crawled.run.path}/pages.parquet'")
    }
    assert origins == {site.origin for site in (crawled.trap, crawled.limited, crawled.recovering)}


@pytest.mark.xdist_group("crawled-links")
def test_links_of_pages_that_recover_are_followed(crawled: Crawled) -> None:
    found = crawled.roles(crawled.recovering)
    assert found == {"/": "listed", "/second": "link", "/third": "link"}


def test_the_home_page_is_fetched_to_count_clicks(tmp_path: Path) -> None:
    graph = ring(30)
    with GraphSite(graph, frozenset({0})) as site:
        run = crawl(tmp_path, {"site": site.origin, "links": "record"}, QUICK).run
    assert roles(run.path)["/"] == "link"
    [(clicks,)] = query_rows(f"select max(clicks) from '{run.path}/urls.parquet'")
    assert clicks > 1


@pytest.mark.parametrize(
    "arguments",
    [{"links": "all"}, {"links": "crawl", "pages": "10"}, {"links": "record", "pages": "none"},
     {"links": "crawl", "since": "2026-01-01"}],
    ids=str,
)  # fmt: skip
def test_arguments_that_cannot_be_are_refused(tmp_path: Path, arguments: dict[str, Any]) -> None:
    audited = crawl(tmp_path, {"site": "http://127.0.0.1:9", **arguments}, QUICK)
    assert audited.status == 2
    assert "links: " in audited.log


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("more", [(), ("workers=2",)], ids=["alone", "workers"])
def test_a_killed_crawl_goes_on(tmp_path: Path, more: tuple[str, ...]) -> None:
    pages, first = 240, 160
    chain = Graph(
        tuple(
            tuple(
                Anchor(target, "root", "", Region.MAIN)
                for target in (number * 2 + 1, number * 2 + 2)
                if target < pages
            )
            for number in range(pages)
        ),
        (False,) * pages,
        (None,) * pages,
        (),
    )
    with GraphSite(chain, frozenset(range(1, pages)), first) as site:
        site.open.clear()
        process = start(tmp_path, f"site={site.origin}", "links=crawl", *more, AUDIT_RULES=RULES)
        run = wait_for_run(tmp_path, process)
        wait_for_pages(run, process, 20_000)
        time.sleep(random.Random(len(more)).uniform(0, 0.2))
        assert kill(process)
        site.open.set()
        finish(start(tmp_path, f"resume={run}", *more, AUDIT_RULES=RULES))
        assert len(roles(run)) == pages
        requested = by_path(site)
    # What was in flight when the run was killed is requested again.
    assert sum(number > 1 for number in requested.values()) < 60
