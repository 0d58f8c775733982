"""The notebooks run from top to bottom, and find what is planted; outputs are not shipped."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest

from sitemapaudit import open_run
from tests.notebooks.kernel import FOLDER, NOTEBOOKS, Executed, Kernel
from tests.notebooks.worlds import BLOG, NEWS, OLD, PRODUCTS, SHOP, build_audits, build_bare
from tests.support import Audited

pytestmark = pytest.mark.xdist_group("demo")


DEMO = {
    "first-look": ("bool(fine > 200)", True),
    "where-rot-comes-from": ("suspect[0].rpartition('/')[2]", "pages-with-faults.xml"),
    "hreflang-clusters": (
        "states.to_dict()",
        {
            "complete": 2,
            "alone": 2,
            "not known": 0,
            "not returned": 1,
            "cannot be indexed": 1,
            "two for a code": 2,
        },
    ),
    "lastmod-honesty": (
        "[at.rpartition('/')[2] for at in table.index[table['all the same'] > 0]]",
        ["built.xml"],
    ),
    "two-runs": ("[old, len(flows), len(history)]", [None, 0, 1]),
    "fleet": ("[len(fleet), bool(fleet['complete'].all())]", [1, True]),
}
"""What a notebook is asked about the demo, and what it answers."""


BARE = {
    "first-look": "No page was asked for.",
    "where-rot-comes-from": "Of no URL it is known whether it can be indexed",
    "hreflang-clusters": "No hreflang, no clusters.",
    "lastmod-honesty": "No entry has a lastmod.",
    "two-runs": "there is nothing to compare with",
    "fleet": "Nothing is known of any site.",
}
"""What a notebook says where there is nothing to see."""


@dataclass(frozen=True)
class Notebooks:
    """A kernel, and the audits that its notebooks read."""

    kernel: Kernel
    audits: Path
    bare: Path

    def execute(self, notebook: str, audits: Path, question: str, **environment: str) -> Executed:
        environment["SITEMAPAUDIT_RUN"] = str(audits)
        executed = self.kernel.execute(notebook, question, **environment)
        assert not executed.complaints
        return executed

    def ask(self, notebook: str, question: str, site: str = SHOP, **environment: str) -> Any:
        """Return what a notebook answers about a planted site."""
        audits = self.audits / site.removeprefix("https://")
        return self.execute(notebook, audits, question, **environment).answer


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebooks]:
    folder = tmp_path_factory.mktemp("notebooks")
    build_audits(folder / "audits")
    build_bare(folder / "bare")
    with Kernel() as kernel:
        yield Notebooks(kernel, folder / "audits", folder / "bare")


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_reads_an_audit_of_the_demo(notebook: str, notebooks: Notebooks, demo: Audited) -> None:
    question, answer = DEMO[notebook]
    executed = notebooks.execute(notebook, demo.audits, question)
    assert executed.answer == answer
    assert executed.pictures


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_reads_an_audit_with_next_to_nothing_in_it(notebook: str, notebooks: Notebooks) -> None:
    executed = notebooks.execute(notebook, notebooks.bare, "True")
    assert BARE[notebook] in executed.printed
    assert executed.pictures == (notebook in ("lastmod-honesty", "two-runs"))


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_is_shipped_without_outputs(notebook: str) -> None:
    document = nbformat.read(FOLDER / f"{notebook}.ipynb", as_version=4)
    for cell in document.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_first_look_counts_what_can_be_indexed(notebooks: Notebooks) -> None:
    assert notebooks.ask("first-look", "[int(fine), int(checked)]") == [93, 128]


def test_the_rotten_sitemap_is_named_first(notebooks: Notebooks) -> None:
    told = notebooks.ask(
        "where-rot-comes-from",
        "[list(each.index[each['worse']]) for each in (by_sitemap, by_section, by_age)]"
        " + [by_sitemap.index[0], int(by_sitemap.loc[suspect[0], 'rotten']),"
        " message(by_sitemap, 'sitemap')]",
    )
    *worse, first, rotten, message = told
    assert worse == [[OLD], [f"{SHOP}/old/"], ["over three years"]]
    assert (first, rotten) == (OLD, 35)
    assert message.startswith("shop.example/old$_$.xml")


def test_a_share_that_chance_explains_is_not_called_worse(notebooks: Notebooks) -> None:
    told = notebooks.ask(
        "where-rot-comes-from",
        "[bool(by_section['worse'].any()), message(by_section, 'section')]",
        BLOG,
    )
    assert told == [False, "No section is worse than the rest by more than chance"]


def test_who_breaks_the_clusters_of_languages(notebooks: Notebooks) -> None:
    told = notebooks.ask(
        "hreflang-clusters",
        "[clusters['state'].value_counts().to_dict(), clusters['versions'].max(),"
        " lacking.index.tolist(), list(breaking.index), len(breakers), breakers['url'].iloc[0]]",
    )
    states, versions, lacking, breaking, *breakers = told
    assert states == {"complete": 12, "not returned": 8}
    assert int(versions) == 3
    assert (lacking, breaking) == (["fr"], ["fr"])
    assert breakers == [8, f"{SHOP}/fr/product/0"]


def test_how_far_lastmods_can_be_trusted(notebooks: Notebooks) -> None:
    told = notebooks.ask(
        "lastmod-honesty",
        "[table.loc[:, (table > 0).any()].T.to_dict(), trust.index[0], content.to_dict()]",
    )
    judgements, least, content = told
    shares = {place: {k: v for k, v in row.items() if v} for place, row in judgements.items()}
    assert shares[NEWS] == {"build time": 30}
    assert shares[OLD] == {"nothing known": 40}
    assert shares[PRODUCTS] == {
        "confirmed": 12,
        "content says no": 9,
        "header says no": 5,
        "nothing known": 32,
    }
    assert least == NEWS
    assert content["lastmod moved"]["text changed"] == 12
    assert content["lastmod same"]["text changed"] == 6


def test_what_changed_between_two_runs(notebooks: Notebooks) -> None:
    told = notebooks.ask(
        "two-runs",
        "[flows.set_index(['from', 'to'])['urls'].reset_index().to_numpy().tolist(),"
        " [rule for rule, _ in moving.index], moving['growth'].tolist(), by_sitemap.index[0],"
        " history['indexable'].tolist(), len(run.comparison)]",
    )
    flows, rules, growth, sitemap, indexable, rows = told
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
    told = notebooks.ask(
        "two-runs", "[str(old.path), run.manifest.changes['went']]", SITEMAPAUDIT_OLD=run
    )
    assert told == [run, 20]


def test_the_worst_site_of_a_fleet_stands_first(notebooks: Notebooks) -> None:
    told = notebooks.ask(
        "fleet",
        "[fleet.index.tolist(), fleet['change'].round(3).tolist(), incomplete.index.tolist(),"
        " int(common.loc['page-not-found', 'sites'])]",
        site="",
    )
    sites, changes, incomplete, not_found = told
    blog = BLOG.removeprefix("https://")
    assert sites == ["shop.example", blog, "wiki.example"]
    assert changes[:2] == [-0.039, -0.2]
    assert incomplete == ["wiki.example"]
    assert not_found == 2
