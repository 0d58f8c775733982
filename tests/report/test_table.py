"""The interactive tables of the report: search, order, pages and the keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from tests.report.browser import OpenPage, open_page
from tests.report.site import BAD, SITE, make_faulty_run
from tests.support.paths import PROJECT

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = make_faulty_run(tmp_path_factory.mktemp("run"))
    return write_report(run.path, run.manifest, catalog())


@pytest.fixture
def opened(browser: Browser, report: Path) -> Iterator[OpenPage]:
    with open_page(browser, report) as opened:
        yield opened
        assert opened.console == []


def cells(opened: OpenPage, table: str, column: int) -> list[str]:
    """Return the texts of the visible rows in a column, counted from 1."""
    return opened.page.locator(f"#{table}-table td:nth-child({column})").all_inner_texts()


def status(opened: OpenPage, table: str = "urls") -> str:
    return opened.page.locator(f"#{table} .table-tools [role=status]").inner_text()


def button(opened: OpenPage, name: str) -> Locator:
    return opened.page.locator("#urls nav").get_by_role("button", name=name)


def test_a_heading_sorts_up_then_down_then_as_at_first(opened: OpenPage) -> None:
    head = opened.page.locator("#urls th", has_text="verdict")
    before = cells(opened, "urls", 2)
    assert before != sorted(before)
    for order in ("ascending", "descending", "none"):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        shown = cells(opened, "urls", 2)
        if order == "none":
            assert shown == before
        else:
            assert shown == sorted(shown, reverse=order == "descending")
    assert cells(opened, "urls", 2)[0] != "indexable"


def test_severities_are_sorted_by_rank(opened: OpenPage) -> None:
    for _ in range(2):
        opened.page.click("#urls th:has-text('highest severity')")
    names = ["none", "notice", "warning", "error"]
    ranks = [names.index(each) for each in cells(opened, "urls", 5)]
    assert ranks == sorted(ranks, reverse=True)
    assert set(ranks) == {1, 2, 3}


def test_pages_turn_and_have_a_size(opened: OpenPage) -> None:
    assert status(opened) == "1 to 25 of 50 URLs"
    first = cells(opened, "urls", 1)
    assert button(opened, "Previous").is_disabled()
    button(opened, "Next").click()
    assert status(opened) == "26 to 50 of 50 URLs"
    assert not {*first} & {*cells(opened, "urls", 1)}
    assert button(opened, "Last").is_disabled()
    button(opened, "First").click()
    assert cells(opened, "urls", 1) == first
    opened.page.locator("#urls .table-tools select").select_option("50")
    assert status(opened) == "1 to 50 of 50 URLs"
    assert len(cells(opened, "urls", 1)) == 50


def test_every_word_of_a_search_is_looked_for(opened: OpenPage) -> None:
    search = opened.page.locator("#urls input[type=search]")
    search.fill(f"NOT-found {SITE}/bad/1")
    expect(opened.page.locator("#urls tbody tr")).to_have_count(1)
    assert status(opened) == "1 to 1 of 1 URL (filtered from 50)"
    search.fill("nothing has this")
    assert status(opened) == "No matching URLs"
    assert all(button(opened, name).is_disabled() for name in ("First", "Previous", "Next", "Last"))


def test_a_search_returns_to_the_first_page_and_keeps_the_order(opened: OpenPage) -> None:
    opened.page.click("#urls th:has-text('URL')")
    button(opened, "Last").click()
    opened.page.locator("#urls input[type=search]").fill("good")
    assert status(opened) == "1 to 25 of 40 URLs (filtered from 50)"
    urls = cells(opened, "urls", 1)
    assert urls == [f"{SITE}/good/{number}" for number in range(25)]


def test_the_keyboard_sorts_and_turns_pages(opened: OpenPage) -> None:
    opened.page.locator("#sitemaps th button").first.focus()
    opened.page.keyboard.press("Enter")
    assert opened.page.locator("#sitemaps th").first.get_attribute("aria-sort") == "ascending"
    assert cells(opened, "sitemaps", 1)[0] == BAD
    button(opened, "Next").focus()
    opened.page.keyboard.press("Enter")
    assert status(opened).startswith("26 to 50")


@pytest.mark.parametrize("file", [*(PROJECT / "sitemapaudit/report/assets").iterdir()])
def test_no_script_and_no_style_can_end_its_element(file: Path) -> None:
    text = file.read_text(encoding="utf-8").lower()
    assert not [mark for mark in ("<script", "</script", "<!--", "</style", "\r") if mark in text]
