"""The section of the report on links: what can be reached, what cannot, and what could help."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from sitemapaudit import Run, open_run
from sitemapaudit.report import link_figures
from sitemapaudit.report.charts.link_charts import build_link_charts
from sitemapaudit.report.figures import Count
from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from tests.pages.responses import SITE
from tests.report.browser import open_page, violations
from tests.report.links import BLOG, LOST, NEW, POSTS, SHOES, SHOP, lost, make_linked_run, shoe
from tests.report.markup import text_of
from tests.report.site import make_faulty_run
from tests.report.terminal import printed

pytestmark = pytest.mark.xdist_group("browser")

WIDTHS = [400, 1300]

Tables = dict[str, list[list[str]]]


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run whose link graph is complete, with its report."""
    return reported(make_linked_run(tmp_path_factory.mktemp("complete") / "run"))


@pytest.fixture(scope="module")
def incomplete(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return the same run with a page that robots.txt blocks, with its report."""
    folder = tmp_path_factory.mktemp("incomplete") / "run"
    return reported(make_linked_run(folder, complete=False))


def reported(run: Run) -> Run:
    write_report(run.path, run.manifest, catalog())
    return run


def page_of(run: Run) -> str:
    return (run.path / "report.html").read_text(encoding="utf-8")


def tables_of(browser: Browser, run: Run) -> Tables:
    """Return the text of the cells of each table of the report, by the ID of the table and row."""
    with open_page(browser, run.path / "report.html") as opened:
        tables: Tables = opened.page.evaluate("""() => Object.fromEntries(
            [...document.querySelectorAll('table[id]')].map(table => [
                table.id,
                [...table.tBodies].flatMap(body => [...body.rows]).map(
                    row => [...row.cells].map(each => each.innerText)
                ),
            ])
        )""")
        return tables


@pytest.fixture(scope="module")
def tables(browser: Browser, complete: Run) -> Tables:
    return tables_of(browser, complete)


def test_sections_and_sitemaps_have_counts(tables: Tables) -> None:
    shop = SHOES + LOST
    assert tables["link-sections"] == [
        [f"{SITE}/shop/", str(shop), str(SHOES), str(LOST), "0", "1"],
        [f"{SITE}/blog/", str(POSTS), str(POSTS), "0", "0", "0"],
        [f"{SITE}/", "1", "1", "0", "0", "0"],
    ]
    assert tables["link-sitemaps"] == [
        [SHOP, str(shop + 1), str(SHOES + 1), str(LOST), "0"],
        [BLOG, str(POSTS), str(POSTS), "0", "0"],
    ]


def test_orphans_have_suggestions(tables: Tables, complete: Run) -> None:
    rows = tables["orphans-table"]
    assert len(rows) == link_figures.MAX_ORPHANS < LOST
    assert rows[0][0].split("\n") == [lost(0), "linked by orphans only"]
    assert rows[1][0].split("\n") == [lost(1), "no link"]
    assert rows[0][1].split("\n") == [shoe(0), shoe(1), shoe(10)]
    assert f"{len(rows)} of {LOST}. All are in orphans.csv" in text_of(page_of(complete))


def test_unlisted_pages_are_named(tables: Tables) -> None:
    assert tables["unlisted-table"] == [[NEW, str(SHOES), "2"]]


def test_a_complete_graph_is_called_complete(complete: Run) -> None:
    text = text_of(page_of(complete))
    assert "Every link of the site is known: all links of 48 of 48 known pages" in text
    assert "Links may be unknown" not in text


def test_an_incomplete_graph_has_reasons_and_candidates(browser: Browser, incomplete: Run) -> None:
    text = text_of(page_of(incomplete))
    assert "Links may be unknown: all links of 48 of 49 known pages (97.9 %) are known" in text
    assert "pages blocked by robots.txt: 1" in text
    assert "Pages that may be orphans" in text
    tables = tables_of(browser, incomplete)
    assert len(tables["orphans-table"]) == link_figures.MAX_ORPHANS
    first, *_ = tables["link-sections"]
    assert first == [f"{SITE}/shop/", str(SHOES + LOST), str(SHOES), "0", str(LOST), "1"]


def test_a_run_without_links_has_no_section(tmp_path: Path) -> None:
    markup = page_of(reported(make_faulty_run(tmp_path / "run")))
    assert 'id="links"' not in markup
    assert 'href="#links"' not in markup


def test_the_chart_counts_pages_without_a_way_apart(complete: Run) -> None:
    markup = page_of(complete)
    counts = [1, SHOES + 1, *[1] * (POSTS - 1), LOST]
    names = [*map(str, range(POSTS + 1)), "none"]
    values = ", ".join(f"{name}: {count}" for name, count in zip(names, counts, strict=True))
    assert f"Listed, indexable pages by clicks from the home page: {values}." in markup


def test_deep_pages_are_counted_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_figures, "MAX_CLICKS", 3)
    markup = page_of(reported(make_linked_run(tmp_path / "run")))
    assert f"home page: 0: 1, 1: {SHOES + 1}, 2: 1, 3+: {POSTS - 2}, none: {LOST}." in markup


@pytest.mark.parametrize(
    ("count", "text"),
    [(999, "999"), (1_000, "1k"), (1_299, "1.2k"), (99_999, "99k"), (1_234_567, "1.2M")],
)
def test_counts_fit_above_narrow_columns(complete: Run, count: int, text: str) -> None:
    counts = (Count("0", count),)
    groups = link_figures.Groups((), 0)
    assert complete.manifest.links is not None
    figures = link_figures.LinkFigures(complete.manifest.links, counts, groups, groups, (), ())
    (chart,) = (each for each in build_link_charts(figures) if each.id == "links-clicks")
    assert f">{text}</text>" in chart.marks


@pytest.mark.parametrize("width", WIDTHS)
def test_the_section_fits(browser: Browser, incomplete: Run, width: int) -> None:
    file = incomplete.path / "report.html"
    with open_page(browser, file, "#links", viewport={"width": width, "height": 900}) as opened:
        assert opened.page.evaluate("document.documentElement.scrollWidth") == width
        clipped: list[Any] = opened.page.evaluate("""() => {
            const chart = document.querySelector('[data-chart=links-clicks]')
            const inside = chart.getBoundingClientRect()
            return [...chart.querySelectorAll('text')].filter(text => {
                const box = text.getBoundingClientRect()
                return box.left < inside.left || box.right > inside.right || box.top < inside.top
            }).map(text => text.textContent)
        }""")
        assert clipped == []
        assert violations(opened.page, part="#links") == []
        assert opened.console == []


def test_a_large_site_has_a_small_section(
    browser: Browser, complete: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_figures, "MAX_GROUPS", 1)
    run = reported(make_linked_run(tmp_path / "run"))
    assert "The 1 with the most orphans, of 3." in text_of(page_of(run))
    assert len(tables_of(browser, run)["link-sections"]) == 1


def test_the_text_and_the_summary_say_the_same(complete: Run, incomplete: Run) -> None:
    reached = "34 of 47 listed, indexable pages can be reached from the home page"
    sentence = f"Links: {reached}; 13 orphans; 1 linked page in no sitemap."
    assert sentence in (complete.path / "report.md").read_text(encoding="utf-8")
    assert sentence in printed(complete, 200)
    text = (incomplete.path / "report.md").read_text(encoding="utf-8")
    assert f"{reached}; 13 may be orphans" in text
    assert "known pages (97.9 %) are known. Unknown: pages blocked by robots.txt (1)." in text
    seen = "all links of 48 of 49 known pages (97.9\N{NO-BREAK SPACE}%) are known"
    said = f"Links may be unknown: {seen}. Unknown: pages blocked by robots.txt (1)."
    assert said in printed(incomplete, 200)


def test_the_manifest_keeps_the_counts(complete: Run) -> None:
    links = open_run(complete.path).manifest.links
    assert links is not None
    assert (links.reachable, links.orphans, links.unlisted, links.gaps) == (34, 13, 1, {})
