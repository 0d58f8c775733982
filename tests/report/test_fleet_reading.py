"""The page of the fleet in a browser: its content, its controls and its safety."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from sitemapaudit.report.fleet.page import write_fleet_page
from sitemapaudit.report.fleet.reading import read_fleet
from tests.report.browser import CHECKS, LOOKS, open_page, violations
from tests.report.fleet import make_five_sites, make_hostile_fleet

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fleet_page(read_fleet(make_five_sites(tmp_path_factory.mktemp("fleet"))))


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fleet_page(read_fleet(make_hostile_fleet(tmp_path_factory.mktemp("hostile"))))


@pytest.mark.parametrize(
    ("look", "check"), [*zip(LOOKS, CHECKS, strict=True)], ids=["light", "dark", "phone"]
)
def test_it_opens_without_errors_and_is_accessible(
    browser: Browser, fleet: Path, look: dict[str, Any], check: dict[str, Any]
) -> None:
    with open_page(browser, fleet, **look) as opened:
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert opened.page.evaluate(overflow) == 0
        assert (opened.console, opened.requests) == ([], [])
        assert violations(opened.page, check) == []


def test_the_worst_site_is_first_and_sites_can_be_sorted_searched_and_filtered(
    browser: Browser, fleet: Path
) -> None:
    with open_page(browser, fleet) as opened:
        rows = opened.page.locator("#sites tbody tr")
        expect(rows).to_have_count(5)
        expect(rows.nth(0)).to_contain_text("incomplete: run.json cannot be read")
        expect(rows.nth(1)).to_contain_text("worse.example")
        expect(rows.nth(1)).to_contain_text("\N{MINUS SIGN}40.0 worse")
        expect(rows.nth(2)).to_contain_text("+40.0 better")
        opened.page.click("#sites th:has-text('change')")
        expect(rows.first).to_contain_text("worse.example")
        opened.page.select_option("#state", "incomplete")
        expect(rows).to_have_count(2)
        opened.page.select_option("#state", "")
        opened.page.locator("#sites input[type=search]").fill("was stopped")
        expect(rows).to_have_count(1)
        expect(rows.first).to_contain_text("interrupted.example")


def test_a_site_links_to_its_report(browser: Browser, fleet: Path) -> None:
    with open_page(browser, fleet) as opened:
        opened.page.click("#sites a:has-text('worse.example')")
        expect(opened.page).to_have_title("worse.example")


def test_hostile_names_run_no_script_and_link_to_their_reports(
    browser: Browser, hostile_page: Path
) -> None:
    with open_page(browser, hostile_page) as opened:
        opened.page.locator("#sites input[type=search]").fill("<")
        opened.page.locator("#sites input[type=search]").fill("")
        assert opened.page.evaluate("window.caught") is None
        assert opened.page.locator("img, iframe, object, embed").count() == 0
        assert (opened.console, opened.requests) == ([], [])
        links = opened.page.eval_on_selector_all(
            "#sites tbody a", "links => links.map(each => [each.textContent, each.href])"
        )
        assert len(links) == 7
        for name, address in links:
            opened.page.goto(address)
            assert opened.page.title().split() == name.split()
