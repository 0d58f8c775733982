"""The report in a browser: its content, its controls and its safety."""

import csv
import io
import re
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from sitemapaudit import open_run
from sitemapaudit.audit import Audit
from sitemapaudit.comparison.comparing import compare
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.formats.csv_files import write_csv
from sitemapaudit.items import Severity
from sitemapaudit.report import url_facts
from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from tests.report.browser import CHECKS, LOOKS, OpenPage, open_page, violations
from tests.report.site import BAD, SITE, make_faulty_run, make_hostile_run, make_large_run
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_audited_run

pytestmark = pytest.mark.xdist_group("browser")

WIDTHS = """() => Object.fromEntries(
    [...document.querySelectorAll('[data-chart]')].map(chart => {
        const place = chart.getBoundingClientRect();
        const areas = [...chart.querySelectorAll('rect')];
        const ends = areas.map(each => each.getBoundingClientRect().right);
        return [chart.dataset.chart, (Math.max(...ends) - place.left) / place.width];
    }))"""
"""A script that returns how far the areas of each chart reach, as a part of its width."""

PRINTED = """addEventListener('beforeprint', () => { window.printed = {
    examples: document.querySelectorAll('.rule[open] .examples > li').length,
    closed: document.querySelectorAll('.rule:not([open])').length,
} })"""
"""A script that looks at the page when it is printed."""

BELOW = """() => [...document.querySelectorAll('.verdict-table th a')]
    .filter(link => link.offsetTop > link.previousElementSibling.offsetTop + 9)
    .map(link => link.textContent)"""
"""A script that returns the verdicts that are below their marks."""

LIGHT, DARK, _ = LOOKS


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folders = [tmp_path_factory.mktemp(name) for name in ("before", "now")]
    now = make_faulty_run(folders[1])
    before = build_audited_run(
        folders[0], [listed(f"{SITE}/good/1"), fetched_page(f"{SITE}/good/1", 404)]
    )
    return write_report(
        now.path, now.manifest, catalog(), compare(before.path, now.path, 256, Audit())
    )


class Pages:
    """The report, opened once for each look: to open it costs more than most tests."""

    def __init__(self, browser: Browser, report: Path, stack: ExitStack) -> None:
        self._browser = browser
        self._report = report
        self._stack = stack
        self._opened: list[tuple[dict[str, Any], OpenPage]] = []

    def get(self, look: dict[str, Any]) -> OpenPage:
        """Return the page with everything closed."""
        for same, opened in self._opened:
            if same == look:
                opened.reset()
                return opened
        opened = self._stack.enter_context(open_page(self._browser, self._report, **look))
        self._opened.append((look, opened))
        return opened


@pytest.fixture(scope="module")
def pages(browser: Browser, report: Path) -> Iterator[Pages]:
    with ExitStack() as stack:
        yield Pages(browser, report, stack)


@pytest.fixture
def opened(pages: Pages) -> Iterator[OpenPage]:
    opened = pages.get(LIGHT)
    yield opened
    assert opened.console == []
    assert opened.requests == []


@pytest.fixture(scope="module")
def hostile_pages(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    run = make_hostile_run(tmp_path_factory.mktemp("hostile"))
    with ExitStack() as stack:
        yield Pages(browser, write_report(run.path, run.manifest, catalog()), stack)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
def test_it_opens_without_errors_and_without_requests(pages: Pages, look: dict[str, Any]) -> None:
    opened = pages.get(look)
    assert opened.console == []
    assert opened.requests == []
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert opened.page.evaluate(overflow) == 0


def test_the_overview_is_at_the_top(opened: OpenPage) -> None:
    text = opened.page.inner_text("#overview")
    assert SITE in text
    assert "83.3 %" in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "of 48 judged URLs" in text
    assert "The audit is complete." in text


def test_the_search_and_the_filters_hide_rules(opened: OpenPage) -> None:
    every = opened.visible_rules()
    assert {"noindex-meta", "page-not-found", "loc-not-absolute"} <= set(every)
    opened.page.fill("#filters [name=text]", "bad/5")
    assert "noindex-meta" in opened.visible_rules()
    assert "page-not-found" not in opened.visible_rules()
    assert f"of {len(every)} rules" in opened.page.inner_text("#filtered")
    opened.page.fill("#filters [name=text]", "")
    opened.page.uncheck("#filters [value=error]")
    assert "page-not-found" not in opened.visible_rules()
    opened.page.check("#filters [value=error]")
    opened.page.select_option("#filters [name=subject]", "entry")
    assert "loc-not-absolute" in opened.visible_rules()
    assert "page-not-found" not in opened.visible_rules()


@pytest.mark.parametrize("severity", Severity)
def test_each_severity_shows_the_rules_with_such_findings(
    opened: OpenPage, report: Path, severity: Severity
) -> None:
    for other in Severity:
        if other is not severity:
            opened.page.uncheck(f"#filters [value={other}]")
    findings = open_run(report.parent).findings
    rules = findings[findings["severity"] == severity]["rule"]
    assert sorted(opened.visible_rules()) == sorted({*rules})
    if severity is not Severity.WARNING:
        many = opened.page.inner_text("#lastmod-invalid .many")
        assert many.split() == ["1", "finding", "+", "1", "notice"]


def test_a_search_without_matches_says_so(opened: OpenPage) -> None:
    opened.page.fill("#filters [name=text]", "no such thing")
    assert opened.visible_rules() == []
    assert opened.page.inner_text("#filtered").startswith("0 of ")


def test_a_fragment_opens_a_rule(browser: Browser, report: Path) -> None:
    with open_page(browser, report, "#page-not-found") as opened:
        rule = opened.page.locator("#page-not-found")
        assert rule.get_attribute("open") is not None
        expect(rule.locator(".examples > li")).to_have_count(3)
        text = rule.inner_text()
        assert f"{SITE}/bad/0" in text
        assert BAD in text
        assert "Fix" in text
        box = rule.locator("summary").first.bounding_box()
        assert box is not None
        assert 0 < box["y"] < 400


def test_a_fragment_opens_a_hidden_rule(opened: OpenPage) -> None:
    opened.page.fill("#filters [name=text]", "no such thing")
    opened.go_to("page-not-found")
    opened.page.locator("#page-not-found .examples > li").first.wait_for()


def test_a_fragment_opens_the_details_of_a_url(browser: Browser, report: Path) -> None:
    url = f"{SITE}/bad/6"
    with open_page(browser, report, f"#url={quote(url, safe='')}") as opened:
        text = opened.page.inner_text("dialog[open]")
        assert url in text
        assert "canonicalized" in text
        assert "canonical-elsewhere" in text
        assert f"{SITE}/elsewhere" in text
        assert BAD in text
        opened.page.keyboard.press("Escape")
        expect(opened.page.locator("dialog[open]")).to_have_count(0)
        opened.page.wait_for_function("() => location.hash === '#urls'")


def test_facts_from_the_browser_are_separate(opened: OpenPage) -> None:
    opened.go_to(f"url={quote(f'{SITE}/good/0', safe='')}")
    assert "As rendered" in opened.page.inner_text("dialog[open]")


def test_a_url_that_is_not_in_the_report_says_so(browser: Browser, report: Path) -> None:
    with open_page(browser, report, "#url=https%3A%2F%2Fother.example%2F%") as opened:
        assert "this URL is not one of them" in opened.page.inner_text("dialog[open]")
        assert opened.console == []


def test_an_example_links_to_its_url_and_the_url_to_its_rules(opened: OpenPage) -> None:
    opened.go_to("noindex-meta")
    opened.page.click("#noindex-meta .examples a.url")
    opened.page.click("dialog[open] a[href='#noindex-meta']")
    expect(opened.page.locator("dialog[open]")).to_have_count(0)
    assert opened.page.evaluate("location.hash") == "#noindex-meta"


def test_urls_can_be_searched_sorted_and_filtered_by_verdict(opened: OpenPage) -> None:
    search = opened.page.locator("#urls input[type=search]")
    search.fill("page-not-found")
    rows = opened.page.locator("#urls tbody tr")
    expect(rows).to_have_count(3)
    search.fill("")
    opened.page.click("#urls th:has-text('verdict')")
    expect(rows.first).to_contain_text("canonicalized")
    opened.page.click("#verdicts a[href='#verdict=noindex']")
    expect(rows).to_have_count(1)
    assert f"{SITE}/bad/5" in rows.first.inner_text()


def test_the_worst_sitemap_is_first(opened: OpenPage) -> None:
    first = opened.page.locator("#sitemaps tbody tr").first.inner_text()
    assert BAD in first
    assert opened.page.locator("[data-chart=treemap] a").count() == 2
    assert "bad.xml" in (
        opened.page.locator("[data-chart=treemap]").get_attribute("aria-label") or ""
    )


def test_the_keyboard_reaches_links_and_rules(browser: Browser, report: Path) -> None:
    with open_page(browser, report) as opened:
        opened.page.keyboard.press("Tab")
        assert opened.page.evaluate("document.activeElement.className") == "skip"
        opened.page.focus("#page-not-found summary")
        opened.page.keyboard.press("Enter")
        expect(opened.page.locator("#page-not-found .examples > li")).to_have_count(3)


def test_charts_follow_the_preferred_color_scheme(opened: OpenPage) -> None:
    bar = opened.page.locator("[data-chart=statuses] text").first
    light = bar.evaluate("each => getComputedStyle(each).fill")
    opened.page.emulate_media(color_scheme="dark")
    assert bar.evaluate("each => getComputedStyle(each).fill") != light
    opened.page.emulate_media(color_scheme="light")


def test_charts_are_drawn_at_the_width_of_the_page(opened: OpenPage) -> None:
    for width in (1280, 390):
        opened.page.set_viewport_size({"width": width, "height": 800})
        shown = opened.page.evaluate(WIDTHS)
        assert set(shown) >= {"states", "verdicts-bars", "statuses", "times", "treemap"}
        # The parts of the headline add up to its width, and no chart is wider than its place.
        assert all(part <= 1.001 for part in shown.values())
        assert shown["states"] == pytest.approx(1, abs=0.01)
    opened.page.set_viewport_size({"width": 1280, "height": 720})


def test_a_chart_links_to_the_urls_that_it_counts(opened: OpenPage) -> None:
    rows = opened.page.locator("#urls tbody tr")
    opened.page.click("[data-chart=verdicts-bars] a:has-text('noindex')")
    expect(rows).to_have_count(1)
    opened.page.click("[data-chart=treemap] a:has-text('bad.xml')")
    expect(rows).to_have_count(10)
    assert "sitemap=" in opened.page.evaluate("location.hash")
    title = opened.page.locator("[data-chart=treemap] a title").first
    assert "40 URLs" in (title.text_content() or "")


def test_a_filtered_view_has_a_link(browser: Browser, report: Path, opened: OpenPage) -> None:
    opened.page.select_option("#verdict", "not-found")
    opened.page.locator("#urls input[type=search]").fill("bad/1")
    urls = opened.page.get_attribute("#urls-link", "href")
    opened.page.fill("#filters [name=text]", "loc")
    opened.page.uncheck("#filters [value=error]")
    findings = opened.page.get_attribute("#findings-link", "href")
    assert opened.page.evaluate("location.hash") == findings
    with open_page(browser, report, urls or "") as again:
        expect(again.page.locator("#urls tbody tr")).to_have_count(1)
        assert again.page.input_value("#verdict") == "not-found"
        again.go_to((findings or "").removeprefix("#"))
        again.page.wait_for_function(
            "() => !document.querySelector('#filters [value=error]').checked"
        )
        assert again.page.input_value("#filters [name=text]") == "loc"
        assert again.console == []


def test_urls_of_a_verdict_and_of_a_rule_are_downloaded(opened: OpenPage) -> None:
    assert opened.page.inner_text("[data-csv-verdict=not-found]") == "CSV (3)"
    header, *rows = downloaded(opened, "[data-csv-verdict=not-found]", "not-found.csv")
    assert header[:3] == ["url", "verdict", "status"]
    assert [row[:3] for row in rows] == [
        [f"{SITE}/bad/{number}", "not-found", "404"] for number in range(3)
    ]
    opened.go_to("page-not-found")
    opened.page.locator("#page-not-found .examples > li").first.wait_for()
    header, *rows = downloaded(opened, "[data-csv-rule=page-not-found]", "page-not-found.csv")
    assert [row[0] for row in rows] == [f"{SITE}/bad/{number}" for number in range(3)]
    opened.go_to("rule=noindex-meta")
    expect(opened.page.locator("#urls tbody tr")).to_have_count(1)
    assert opened.page.inner_text("#urls-csv") == "CSV (1)"
    assert len(downloaded(opened, "#urls-csv", "noindex-meta.csv")) == 2


def test_no_cell_of_a_download_acts_as_a_formula(opened: OpenPage, tmp_path: Path) -> None:
    chance = Random(42)
    letters = "=+-@\uff1d\uff0b\uff0d\uff20\t\r\n;,\"'a1\u00e9"
    texts = ["".join(chance.choices(letters, k=chance.randrange(9))) for _ in range(2_000)]
    with connect() as connection:
        connection.execute(
            "create table cells as select generate_subscripts($texts, 1) as number,"
            " unnest($texts) as text",
            {"texts": texts},
        )
        write_csv(
            connection,
            {"number": "BIGINT", "text": "VARCHAR"},
            "(from cells order by number)",
            tmp_path / "cells.csv",
        )
    with (tmp_path / "cells.csv").open(encoding="utf-8-sig", newline="") as file:
        _, *written = csv.reader(file)
    cells = "texts.map((text, n) => `${n + 1},${csvCell(text)}\\r\\n`).join('')"
    script = (files("sitemapaudit.report") / "assets" / "csv.js").read_text(encoding="utf-8")
    text = opened.page.evaluate(f"texts => {{ {script}; return {cells}; }}", texts)
    rows = csv.reader(io.StringIO(text, newline=""))
    assert [*rows] == written
    assert len(written) == len(texts)


def downloaded(opened: OpenPage, button: str, name: str) -> list[list[str]]:
    """Return the rows of the file that a button downloads."""
    with opened.page.expect_download() as download:
        opened.page.click(button)
    assert download.value.suggested_filename == name
    text = download.value.path().read_text(encoding="utf-8")
    assert text.startswith("\ufeff")
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_printing_is_complete_and_light(browser: Browser, report: Path) -> None:
    with open_page(browser, report, **DARK) as opened:
        opened.page.evaluate(PRINTED)
        assert opened.page.pdf(format="A4").startswith(b"%PDF")
        printed = opened.page.evaluate("window.printed")
        assert printed["examples"] > 10
        assert printed["closed"] == 0
        assert opened.page.locator(".rule[open]").count() == 0
        opened.page.emulate_media(media="print")
        opened.page.set_viewport_size({"width": 710, "height": 1000})
        assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        assert opened.page.evaluate(WIDTHS)["states"] == pytest.approx(1, abs=0.01)
        # No column is beyond the paper.
        edges = "tables => tables.map(each => each.getBoundingClientRect().right)"
        assert max(opened.page.eval_on_selector_all("table", edges)) <= 711
        # What does not break leaves most of a page to what comes before it.
        heights = "figures => figures.map(each => each.getBoundingClientRect().height)"
        assert max(opened.page.eval_on_selector_all("figure", heights)) < 400
        # The message has the values of the evidence.
        evidence = "all => all.map(each => getComputedStyle(each).display)"
        assert set(opened.page.eval_on_selector_all(".evidence", evidence)) == {"none"}
        # A verdict is next to its mark, not on the line below.
        assert opened.page.evaluate(BELOW) == []
        assert opened.console == []


def test_names_between_backticks_are_code(pages: Pages) -> None:
    opened = pages.get(LIGHT)
    opened.page.click("#toggle-all")
    assert "`" not in opened.page.locator("main").inner_text()
    assert opened.page.locator(".rule dd code").count() > 0


def test_300_urls_are_printed_on_fewer_than_12_pages(browser: Browser, tmp_path: Path) -> None:
    run = make_large_run(tmp_path)
    file = write_report(run.path, run.manifest, catalog())
    assert file.stat().st_size < 3_000_000
    with open_page(browser, file) as opened:
        printed = opened.page.pdf(format="A4")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed))
    assert len(run.manifest.rules) >= 12
    assert 4 < pages < 12


def test_tables_of_verdicts_fit_a_laptop(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(url_facts, "MAX_URLS", 50)  # So that the buttons are wide.
    run = make_large_run(tmp_path)
    with open_page(browser, write_report(run.path, run.manifest, catalog())) as opened:
        buttons = opened.page.locator(".verdict-table button")
        assert " of " in buttons.first.inner_text().replace("\u00a0", " ")
        for width in (1000, 1160, 1280):
            opened.page.set_viewport_size({"width": width, "height": 800})
            hidden = ".verdict-table", "each => each.scrollWidth - each.parentElement.clientWidth"
            assert opened.page.eval_on_selector(*hidden) <= 0, width


# All rules are alike: where only colors differ, one of them is enough.
@pytest.mark.parametrize(
    ("look", "check", "button"),
    [*zip(LOOKS, CHECKS, ["#toggle-all", "#page-not-found summary", "#toggle-all"], strict=True)],
    ids=["light", "dark", "phone"],
)
def test_axe_finds_no_violations(
    pages: Pages, look: dict[str, Any], check: dict[str, Any], button: str
) -> None:
    opened = pages.get(look)
    opened.page.click(button)
    assert violations(opened.page, check) == []
    opened.go_to(f"url={quote(f'{SITE}/bad/6', safe='')}")
    opened.page.locator("dialog[open]").wait_for()
    assert violations(opened.page, check) == []


def test_a_hostile_site_runs_no_script(hostile_pages: Pages) -> None:
    opened = hostile_pages.get(LIGHT)
    opened.page.click("#toggle-all")
    for search in opened.page.locator("input[type=search]").all():
        search.fill("&lt;img")
        search.fill("<")
    for row in opened.data()["urls"]:
        opened.go_to(f"url={quote(row['url'], safe='')}")
        expect(opened.page.locator("#url-title")).to_have_text(row["url"])
    assert opened.page.evaluate("window.caught") is None
    assert opened.page.locator("img, iframe, object, embed, b").count() == 0
    assert opened.page.locator("script:not([type])").count() == 0
    assert opened.console == []
    assert opened.requests == []


def test_links_are_fragments_or_web_addresses(hostile_pages: Pages) -> None:
    opened = hostile_pages.get(LIGHT)
    opened.page.click("#toggle-all")
    links = opened.page.eval_on_selector_all(
        "a", "links => links.map(each => [each.getAttribute('href'), each.rel])"
    )
    assert all(href.startswith(("#", "http://", "https://")) for href, _ in links)
    outside = [rel for href, rel in links if not href.startswith("#")]
    assert outside
    assert set(outside) == {"noreferrer noopener"}


def test_changes_can_be_filtered_and_link_to_rules(opened: OpenPage) -> None:
    rows = opened.page.locator("#changes-table tbody tr")
    opened.page.select_option("#change-kind", "verdict changed")
    expect(rows).to_have_count(1)
    assert "not-found → indexable" in rows.first.inner_text()
    opened.page.select_option("#change-kind", "new finding")
    rows.locator("a[href='#noindex-meta']").first.click()
    opened.page.locator("#noindex-meta .examples > li").first.wait_for()
