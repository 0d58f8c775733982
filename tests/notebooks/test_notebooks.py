"""Notebooks run from top to bottom, show the planted facts, and ship without outputs."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.runs.folders import find_runs
from tests.notebooks.engine_files import CRAWLED, DISCOVERED, write_files
from tests.notebooks.kernel import FOLDER, NOTEBOOKS, Executed, Kernel
from tests.notebooks.worlds import BLOG, NEWS, OLD, PRODUCTS, SHOP, build_audits, build_bare
from tests.support.audits import Audited
from tests.support.wider_tables import widen_tables

pytestmark = pytest.mark.xdist_group("demo")

DEMO = {
    "first-look": ("bool(indexable > 200)", True),
    "where-rot-comes-from": ("worst[0].rpartition('/')[2]", "pages-with-faults.xml"),
    "hreflang-clusters": (
        "states.to_dict()",
        {
            "complete": 2,
            "single page": 2,
            "unknown": 0,
            "missing return link": 1,
            "not indexable": 1,
            "duplicate code": 2,
        },
    ),
    "lastmod-honesty": (
        "[at.rpartition('/')[2] for at in table.index[table['identical'] > 0]]",
        ["built.xml"],
    ),
    "two-runs": ("[old, len(flows), len(history)]", [None, 0, 1]),
    "fleet": ("[len(fleet), bool(fleet['complete'].any())]", [1, False]),
    "search-engines": (
        "[len(missing), len(never_crawled), len(unlisted), len(leaving)]",
        [4, 1, 1, 1],
    ),
    "server-logs": ("[int(listed['crawled'].sum()), len(not_listed), len(dead)]", [5, 1, 2]),
}
"""An expression to evaluate after each notebook on the demo, and its value."""

BARE = {
    "first-look": "No page was fetched.",
    "where-rot-comes-from": "The state of every URL is unknown",
    "hreflang-clusters": "There are no hreflang clusters.",
    "lastmod-honesty": "No entry has a lastmod.",
    "two-runs": "there is nothing to compare with",
    "fleet": "No site has a URL that is known to be indexable or not.",
    "search-engines": "There is no export in",
    "server-logs": "There is no log in",
}
"""The text that each notebook prints about an almost empty run."""


PARTS = """
    create or replace temp view known as
    select 'large' as url, range < 400 as non_indexable from range(2000)
    union all select 'small', true from range(12)
    union all select 'fine', range < 50 from range(5000)
"""
"""The URLs of three parts, for the notebook about rot."""


@dataclass(frozen=True)
class Notebooks:
    """A kernel, and the audits with planted facts that its notebooks read."""

    kernel: Kernel
    audits: Path

    def execute(
        self,
        notebook: str,
        audits: Path,
        expression: str,
        *,
        draw_twice: bool = True,
        **environment: str,
    ) -> Executed:
        environment["SITEMAPAUDIT_RUN"] = str(audits)
        executed = self.kernel.execute(notebook, expression, draw_twice=draw_twice, **environment)
        assert not executed.problems
        return executed

    def evaluate(self, notebook: str, expression: str, site: str = SHOP, **environment: str) -> Any:
        """Return the value of an expression after a notebook on a site with planted facts."""
        audits = self.audits / site.removeprefix("https://")
        executed = self.execute(notebook, audits, expression, draw_twice=False, **environment)
        assert executed.charts
        return executed.value


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebooks]:
    """Return the notebooks and audits whose tables have more columns than those of the demo."""
    folder = tmp_path_factory.mktemp("notebooks")
    # The kernel starts while the audits are built.
    with Kernel() as kernel:
        build_audits(folder)
        for run in find_runs(folder):
            widen_tables(run)
        yield Notebooks(kernel, folder)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the audits of a run with almost no data."""
    folder = tmp_path_factory.mktemp("bare")
    build_bare(folder)
    return folder


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_reads_an_audit_of_the_demo(
    notebook: str, notebooks: Notebooks, demo: Audited, tmp_path: Path
) -> None:
    expression, value = DEMO[notebook]
    files = write_files(demo.run, tmp_path)
    executed = notebooks.execute(notebook, demo.audits, expression, draw_twice=True, **files)
    assert executed.value == value
    assert executed.charts


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_reads_an_almost_empty_run(
    notebook: str, notebooks: Notebooks, bare: Path
) -> None:
    executed = notebooks.execute(notebook, bare, "True")
    assert BARE[notebook] in executed.printed
    assert executed.charts == (notebook in ("lastmod-honesty", "two-runs"))


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_notebook_ships_without_outputs(notebook: str) -> None:
    document = json.loads((FOLDER / f"{notebook}.ipynb").read_text(encoding="utf-8"))
    for cell in document["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_first_look_counts_indexable_urls(notebooks: Notebooks) -> None:
    assert notebooks.evaluate("first-look", "[int(indexable), int(checked)]") == [93, 128]


def test_the_sitemap_with_most_non_indexable_urls_comes_first(notebooks: Notebooks) -> None:
    values = notebooks.evaluate(
        "where-rot-comes-from",
        "[list(each.index[each['worse']]) for each in (by_sitemap, by_section, by_age)]"
        " + [by_sitemap.index[0], int(by_sitemap.loc[worst[0], 'non_indexable']),"
        " headline(by_sitemap, 'sitemap'),"
        f" [run.sql({PARTS!r}), list(compare_parts('url').index)][1]]",
    )
    *worse, first, non_indexable, headline, parts = values
    # By number: the small part is the worst by its share, the large one has most of the rot.
    assert parts == ["large", "small", "fine"]
    assert worse == [[OLD], [f"{SHOP}/old/"], ["over three years"]]
    assert (first, non_indexable) == (OLD, 35)
    assert headline.startswith("shop.example/old$_$.xml")


def test_a_share_that_chance_explains_is_not_called_worse(notebooks: Notebooks) -> None:
    values = notebooks.evaluate(
        "where-rot-comes-from",
        "[bool(by_section['worse'].any()), headline(by_section, 'section')]",
        BLOG,
    )
    assert values == [False, "No section is worse than the rest by more than chance"]


def test_language_versions_without_return_links_are_found(notebooks: Notebooks) -> None:
    values = notebooks.evaluate(
        "hreflang-clusters",
        "[clusters['state'].value_counts().to_dict(), clusters['versions'].max(),"
        " lacking.index.tolist(), list(breaking.index), len(breakers), breakers['url'].iloc[0]]",
    )
    states, versions, lacking, breaking, *breakers = values
    assert states == {"complete": 12, "missing return link": 8}
    assert int(versions) == 3
    assert (lacking, breaking) == (["fr"], ["fr"])
    assert breakers == [8, f"{SHOP}/fr/product/0"]


def test_implausible_lastmods_are_found(notebooks: Notebooks) -> None:
    values = notebooks.evaluate(
        "lastmod-honesty",
        "[table.loc[:, (table > 0).any()].T.to_dict(), trust.index[0], content.to_dict()]",
    )
    assessments, least_trusted, content = values
    counts = {place: {k: v for k, v in row.items() if v} for place, row in assessments.items()}
    assert counts[NEWS] == {"build time": 30}
    assert counts[OLD] == {"unverified": 40}
    assert counts[PRODUCTS] == {
        "confirmed": 12,
        "contradicted by content": 9,
        "contradicted by header": 5,
        "unverified": 32,
    }
    assert least_trusted == NEWS
    assert content["lastmod changed"]["text changed"] == 12
    assert content["lastmod same"]["text changed"] == 6


def test_changes_between_two_runs_are_found(notebooks: Notebooks) -> None:
    values = notebooks.evaluate(
        "two-runs",
        "[flows.set_index(['from', 'to'])['urls'].reset_index().to_numpy().tolist(),"
        " [rule for rule, _ in changed.index], changed['growth'].tolist(), by_sitemap.index[0],"
        " history['indexable'].tolist(), len(run.comparison)]",
    )
    flows, rules, growth, sitemap, indexable, rows = values
    assert sorted(flows) == [
        ["indexable", "not listed", 3],
        ["indexable", "not-found", 5],
        ["not listed", "indexable", 3],
    ]
    assert (rules, growth) == (
        ["page-not-found", "hreflang-no-return", "lastmod-untrue"],
        [5, 2, 1],
    )
    assert sitemap == OLD
    assert indexable == [98, 93]
    assert rows == 19


def test_an_earlier_run_can_be_chosen(notebooks: Notebooks) -> None:
    run = str(open_run(notebooks.audits / "blog.example").path)
    values = notebooks.evaluate(
        "two-runs", "[str(old.path), run.manifest.changes['removed']]", SITEMAPAUDIT_OLD=run
    )
    assert values == [run, 20]


def test_the_worst_site_of_a_fleet_comes_first(notebooks: Notebooks) -> None:
    values = notebooks.evaluate(
        "fleet",
        "[fleet.index.tolist(), fleet['share_change'].round(3).tolist(),"
        " incomplete.index.tolist(), int(shared.loc['page-not-found', 'sites'])]",
        site="",
    )
    sites, changes, incomplete, not_found = values
    blog = BLOG.removeprefix("https://")
    assert sites == ["shop.example", blog, "wiki.example"]
    assert changes[:2] == [-0.039, -0.2]
    assert incomplete == ["wiki.example"]
    assert not_found == 2


@pytest.fixture
def files(notebooks: Notebooks, tmp_path: Path) -> dict[str, str]:
    """Return the variables that name the exports and logs about the shop."""
    return write_files(open_run(notebooks.audits / "shop.example"), tmp_path)


def test_indexable_pages_that_are_not_indexed_are_found(
    notebooks: Notebooks, files: dict[str, str]
) -> None:
    values = notebooks.evaluate(
        "search-engines",
        "[by_issue['urls'].to_dict(), sorted(missing['listed_url']),"
        " never_crawled['listed_url'].tolist(), beside.loc['Not found (404)'].to_dict(),"
        " [each.issue for each in indexing.values()], unlisted['url'].tolist(),"
        " leaving[['verdict', 'impressions']].values.tolist()]",
        **files,
    )
    by_issue, missing, never_crawled, beside, issues, unlisted, leaving = values
    assert by_issue == {DISCOVERED: 1, CRAWLED: 2, "Not found (404)": 1}
    assert len(missing) == 4
    assert never_crawled == [missing[2]]
    assert {name: int(number) for name, number in beside.items() if number} == {
        "indexable": 1,
        "not-found": 1,
    }
    assert issues == [CRAWLED, DISCOVERED, None, "Not found (404)"]
    assert unlisted == [f"{SHOP}/unlisted"]
    assert leaving == [["not-found", 90]]


def test_the_requests_of_a_crawler_are_counted(notebooks: Notebooks, files: dict[str, str]) -> None:
    expression = (
        "[int(listed['crawled'].sum()), len(never_crawled), not_listed['requests'].to_dict(),"
        " dead['listed'].to_dict(), log.unreadable, len(requests)]"
    )
    crawled, never_crawled, not_listed, dead, unreadable, requests = notebooks.evaluate(
        "server-logs", expression, **files
    )
    assert (crawled, never_crawled) == (5, 123)
    assert not_listed == {f"{SHOP}/unlisted": 2}
    assert dead == {f"{SHOP}/old/0": True, f"{SHOP}/unlisted": False}
    assert (unreadable, requests) == (1, 8)
    del files["SITEMAPAUDIT_RANGES"]
    assert notebooks.evaluate("server-logs", expression, **files)[0] == 6
