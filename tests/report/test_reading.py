"""The page in a browser: what people see, do and reach, and what it must never do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from sitemapaudit.comparison.comparing import compare
from sitemapaudit.report.page import write_report
from tests.report.browser import axe_script, launched, opened
from tests.report.site import ROTTEN, SITE, faulty, hostile
from tests.support import answered, build_run, listed

pytestmark = pytest.mark.xdist_group("browser")

PHONE = {"viewport": {"width": 360, "height": 740}}
LOOKS: list[dict[str, Any]] = [{}, {"color_scheme": "dark"}, PHONE]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folders = [tmp_path_factory.mktemp(name) for name in ("before", "now")]
    now = faulty(folders[1])
    before = build_run(folders[0], [listed(f"{SITE}/good/1"), answered(f"{SITE}/good/1", 404)])
    return write_report(now.path, now.manifest, compare(before.path, now.path, 256))


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = hostile(tmp_path_factory.mktemp("hostile"))
    return write_report(run.path, run.manifest)


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
def test_it_opens_without_a_complaint_or_a_request(
    browser: Browser, report: Path, look: dict[str, Any]
) -> None:
    with opened(browser, report, **look) as seen:
        seen.draw_all()
        assert seen.console == []
        assert seen.requests == []
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert seen.page.evaluate(overflow) == 0


def test_the_answer_stands_at_the_top(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        answer = seen.page.inner_text("#answer")
    assert SITE in answer
    assert "83.3 %" in answer.replace("\N{NO-BREAK SPACE}", " ")
    assert "40 of the 48 URLs" in answer
    assert "The audit is complete." in answer


def test_a_search_and_filters_narrow_the_findings(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        every = seen.shown_rules()
        assert {"noindex-meta", "page-not-found", "loc-not-absolute"} <= set(every)
        seen.page.fill("#filters [name=text]", "bad/5")
        assert "noindex-meta" in seen.shown_rules()
        assert "page-not-found" not in seen.shown_rules()
        assert f"of {len(every)} rules" in seen.page.inner_text("#filtered")
        seen.page.fill("#filters [name=text]", "")
        seen.page.uncheck("#filters [value=error]")
        assert "page-not-found" not in seen.shown_rules()
        seen.page.check("#filters [value=error]")
        seen.page.select_option("#filters [name=subject]", "entry")
        assert "loc-not-absolute" in seen.shown_rules()
        assert "page-not-found" not in seen.shown_rules()


def test_nothing_fits_and_says_so(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        seen.page.fill("#filters [name=text]", "no such thing")
        assert seen.shown_rules() == []
        assert seen.page.inner_text("#filtered").startswith("0 of ")


def test_a_rule_is_opened_by_its_address(browser: Browser, report: Path) -> None:
    with opened(browser, report, "#page-not-found") as seen:
        rule = seen.page.locator("#page-not-found")
        assert rule.get_attribute("open") is not None
        expect(rule.locator(".examples > li")).to_have_count(3)
        text = rule.inner_text()
        assert f"{SITE}/bad/0" in text
        assert ROTTEN in text
        assert "Fix" in text
        box = rule.locator("summary").first.bounding_box()
        assert box is not None
        assert 0 < box["y"] < 400


def test_a_rule_that_a_filter_hides_is_opened_by_its_address_too(
    browser: Browser, report: Path
) -> None:
    with opened(browser, report) as seen:
        seen.page.fill("#filters [name=text]", "no such thing")
        seen.go("page-not-found")
        seen.page.locator("#page-not-found .examples > li").first.wait_for()


def test_a_url_is_opened_by_its_address(browser: Browser, report: Path) -> None:
    url = f"{SITE}/bad/6"
    with opened(browser, report, f"#url={quote(url, safe='')}") as seen:
        text = seen.page.inner_text("dialog[open]")
        assert url in text
        assert "canonicalized" in text
        assert "canonical-elsewhere" in text
        assert f"{SITE}/elsewhere" in text
        assert ROTTEN in text
        seen.page.keyboard.press("Escape")
        expect(seen.page.locator("dialog[open]")).to_have_count(0)
        seen.page.wait_for_function("location.hash === '#urls'")


def test_what_a_browser_made_of_a_url_stands_apart(browser: Browser, report: Path) -> None:
    with opened(browser, report, f"#url={quote(f'{SITE}/good/0', safe='')}") as seen:
        assert "As rendered" in seen.page.inner_text("dialog[open]")


def test_a_url_that_the_page_does_not_hold_is_told(browser: Browser, report: Path) -> None:
    with opened(browser, report, "#url=https%3A%2F%2Fother.example%2F%") as seen:
        assert "not among them" in seen.page.inner_text("dialog[open]")
        assert seen.console == []


def test_an_example_leads_to_its_url_and_that_to_its_rules(browser: Browser, report: Path) -> None:
    with opened(browser, report, "#noindex-meta") as seen:
        seen.page.click("#noindex-meta .examples a.url")
        seen.page.click("dialog[open] a[href='#noindex-meta']")
        expect(seen.page.locator("dialog[open]")).to_have_count(0)
        assert seen.page.evaluate("location.hash") == "#noindex-meta"


def test_urls_are_searched_sorted_and_chosen_by_verdict(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        search = seen.page.locator("#urls input[type=search]")
        search.fill("page-not-found")
        rows = seen.page.locator("#urls tbody tr")
        expect(rows).to_have_count(3)
        search.fill("")
        seen.page.click("#urls th:has-text('verdict')")
        expect(rows.first).to_contain_text("canonicalized")
        seen.page.click("#verdicts a[href='#verdict=noindex']")
        expect(rows).to_have_count(1)
        assert f"{SITE}/bad/5" in rows.first.inner_text()


def test_the_rotten_sitemap_stands_first(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        seen.draw_all()
        first = seen.page.locator("#sitemaps tbody tr").first.inner_text()
        assert ROTTEN in first
        assert seen.page.locator("[data-chart=treemap] .slice").count() == 4
        assert "rotten.xml" in (
            seen.page.locator("[data-chart=treemap]").get_attribute("aria-label") or ""
        )


def test_the_keyboard_reaches_everything(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        seen.page.keyboard.press("Tab")
        assert seen.page.evaluate("document.activeElement.className") == "skip"
        seen.page.focus("#page-not-found summary")
        seen.page.keyboard.press("Enter")
        expect(seen.page.locator("#page-not-found .examples > li")).to_have_count(3)


def test_charts_take_on_the_colours_that_the_reader_prefers(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        bar = seen.page.locator("[data-chart=statuses] .ytick text").first
        seen.draw_all()
        light = bar.evaluate("each => getComputedStyle(each).fill")
        seen.page.emulate_media(color_scheme="dark")
        seen.page.wait_for_function(
            "light => getComputedStyle(document.querySelector("
            "'[data-chart=statuses] .ytick text')).fill !== light",
            arg=light,
        )


def test_it_can_be_printed(browser: Browser, report: Path) -> None:
    with opened(browser, report, color_scheme="dark") as seen:
        seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert seen.page.locator(".js-plotly-plot").count() == len(seen.data()["charts"])
        assert seen.page.pdf().startswith(b"%PDF")
        seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert seen.console == []


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
def test_axe_finds_nothing(browser: Browser, report: Path, look: dict[str, Any]) -> None:
    with opened(browser, report, **look) as seen:
        seen.page.click("#toggle-all")
        seen.draw_all()
        seen.page.evaluate(axe_script())
        run = "axe.run().then(found => found.violations.map(each => [each.id, each.nodes[0].html]))"
        assert seen.page.evaluate(run) == []
        seen.go(f"url={quote(f'{SITE}/bad/6', safe='')}")
        seen.page.locator("dialog[open]").wait_for()
        assert seen.page.evaluate(run) == []


def test_a_hostile_site_runs_nothing(browser: Browser, trap: Path) -> None:
    with opened(browser, trap) as seen:
        seen.draw_all()
        seen.page.click("#toggle-all")
        for search in seen.page.locator("input[type=search]").all():
            search.fill("&lt;img")
            search.fill("<")
        for row in seen.data()["urls"]:
            seen.go(f"url={quote(row['url'], safe='')}")
            expect(seen.page.locator("#one-title")).to_have_text(row["url"])
        assert seen.page.evaluate("window.caught") is None
        assert seen.page.locator("img, iframe, object, embed, b").count() == 0
        assert seen.page.locator("script:not([type])").count() == 1
        assert seen.console == []
        assert seen.requests == []


def test_links_lead_to_web_addresses_only(browser: Browser, trap: Path) -> None:
    with opened(browser, trap) as seen:
        seen.page.click("#toggle-all")
        links = seen.page.eval_on_selector_all(
            "a", "links => links.map(each => [each.getAttribute('href'), each.rel])"
        )
        assert all(href.startswith(("#", "http://", "https://")) for href, _ in links)
        outside = [rel for href, rel in links if not href.startswith("#")]
        assert outside
        assert set(outside) == {"noreferrer noopener"}


def test_changes_can_be_chosen_and_followed(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        rows = seen.page.locator("#changes-table tbody tr")
        seen.page.select_option("#change-kind", "verdict changed")
        expect(rows).to_have_count(1)
        assert "not-found → indexable" in rows.first.inner_text()
        seen.page.select_option("#change-kind", "finding is new")
        rows.locator("a[href='#noindex-meta']").first.click()
        seen.page.locator("#noindex-meta .examples > li").first.wait_for()


def test_what_is_closed_is_printed(browser: Browser, report: Path) -> None:
    with opened(browser, report) as seen:
        seen.page.evaluate(
            "addEventListener('beforeprint', () => {"
            " window.printed = document.querySelectorAll('.rule[open] .examples > li').length })"
        )
        seen.page.pdf()
        assert seen.page.evaluate("window.printed") > 10
        assert seen.page.locator(".rule[open]").count() == 0
