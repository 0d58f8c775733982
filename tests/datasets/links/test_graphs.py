"""The links of a website are those that its pages have, and their counts those of networkx."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from sitemapaudit.audit import Audit
from sitemapaudit.datasets.links import graph as link_graph
from sitemapaudit.datasets.links import tables as link_tables
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.items import Region
from tests.crawling.links.graphs import Graph, GraphSite, graphs, ring
from tests.crawling.links.runs import check, figures, query_rows
from tests.pages.responses import SITE
from tests.rules.site.linked import ARGUMENTS, READ, ROBOTS
from tests.rules.tables import Item
from tests.support.audits import crawl
from tests.support.rows import fetched_page, linked_page, listed
from tests.support.runs import build_run
from tests.support.settings import QUICK


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(graphs())
def test_links_are_those_of_the_website(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as audits, GraphSite(graph) as site:
        audited = crawl(Path(audits), {"site": site.origin, "links": "record"}, QUICK)
        assert audited.status == 0, audited.log
        check(audited.run.path, site.origin, graph)


def test_nothing_is_recorded_by_default(tmp_path: Path) -> None:
    with GraphSite(ring(30)) as site:
        run = crawl(tmp_path, {"site": site.origin}, QUICK).run
        assert set(figures(run.path, site.origin).values()) == {(None, None, None, None)}
    assert not (run.path / "links.parquet").exists()
    assert not list((run.path / "log").glob("links*"))


def test_pages_that_are_not_linked_have_no_way(tmp_path: Path) -> None:
    graph = Graph(((), (), ()), (False,) * 3, (None,) * 3, ())
    with GraphSite(graph) as site:
        run = crawl(tmp_path, {"site": site.origin, "links": "record"}, QUICK).run
        found = figures(run.path, site.origin)
    assert found.pop("/") == (0, 0, 0, False)
    assert set(found.values()) == {(0, 0, None, False)}


@pytest.mark.parametrize("region", [Region.FRAME, Region.REFRESH])
def test_frames_and_refreshes_need_no_click(tmp_path: Path, region: Region) -> None:
    home, menu, old, shop, last = (f"{SITE}/{path}" for path in ("", "menu", "old", "shop", "z"))
    pages = [
        linked_page(home, old, region=region),
        linked_page(menu, shop, region=region),
        linked_page(shop, last),
        linked_page(last),
    ]
    moved = fetched_page(old, 301, target=menu)
    items: list[Item] = [ROBOTS, READ, listed(home, menu, old, shop, last), moved, *pages]
    rows = build_run(tmp_path, items, **ARGUMENTS).urls.set_index("url")["clicks"]
    assert rows.to_dict() == {home: 0, menu: 0, old: 0, shop: 0, last: 1}


def test_many_urls_are_named_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links = [linked_page(f"{SITE}/{each}", f"{SITE}/{each * 7 % 51}") for each in range(50)]
    items: list[Item] = [listed(*(page.item.url for page in links)), *links]
    at_once = build_run(tmp_path / "at-once", items, links="record").path / "links.parquet"
    monkeypatch.setattr(link_graph, "MAX_NAMED_AT_ONCE", 10)
    monkeypatch.setattr(link_graph, "_PART", 20)
    monkeypatch.setattr(link_tables, "_BATCH_EDGES", 7)
    again = build_run(tmp_path / "in-parts", items, links="record", note="in parts")
    in_parts = again.path / "links.parquet"
    assert at_once.read_bytes() == in_parts.read_bytes()
    rows = query_rows(f"select source, target from '{in_parts}'")
    assert len(rows) == 50
    assert rows == sorted(rows)


@pytest.mark.parametrize("links", [3, 40, 400])
def test_links_are_in_order(tmp_path: Path, links: int) -> None:
    """However many they are: a join starts from its smaller side."""
    targets = [
        [f"{SITE}/{(at * 7 + at // 40) % 40}" for at in range(n, links, 40)] for n in range(40)
    ]
    pages = [linked_page(f"{SITE}/{n}", *targets[39 - n]) for n in range(40)]
    items: list[Item] = [listed(*(page.item.url for page in pages)), *pages]
    run = build_run(tmp_path, items, links="record")
    rows = query_rows(f"select source, target from '{run.path / 'links.parquet'}'")
    assert rows == sorted(rows)
    assert len(rows) == links


def test_tables_are_built_if_the_recorded_links_are_lost(tmp_path: Path) -> None:
    pages = [linked_page(f"{SITE}/{each}", f"{SITE}/{each + 1}") for each in range(5)]
    items: list[Item] = [listed(*(page.item.url for page in pages)), *pages]
    run = build_run(tmp_path, items, links="record")
    for file in (tmp_path / "log").glob("links.*"):
        file.unlink()
    build_tables(TableBuild([tmp_path], tmp_path, 256), run.manifest, Audit())
    assert run.manifest.links is not None
    assert run.manifest.links.gaps["pages whose links are lost"] == 5
