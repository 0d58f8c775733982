"""The page of the fleet in a browser: what people see, do and reach, and what it must never do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from sitemapaudit.report.fleet import read_fleet
from sitemapaudit.report.fleet_page import write_fleet_page
from tests.report.browser import axe_script, launched, opened
from tests.report.fleet import five_sites, hostile_fleet
from tests.report.test_reading import LOOKS

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fleet_page(read_fleet(five_sites(tmp_path_factory.mktemp("fleet"))))


@pytest.fixture(scope="module")
def trap(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_fleet_page(read_fleet(hostile_fleet(tmp_path_factory.mktemp("hostile"))))


@pytest.mark.parametrize("look", LOOKS, ids=["light", "dark", "phone"])
def test_it_opens_without_a_complaint_and_keeps_nobody_out(
    browser: Browser, fleet: Path, look: dict[str, Any]
) -> None:
    with opened(browser, fleet, **look) as seen:
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert seen.page.evaluate(overflow) == 0
        assert (seen.console, seen.requests) == ([], [])
        seen.page.evaluate(axe_script())
        run = "axe.run().then(found => found.violations.map(each => [each.id, each.nodes[0].html]))"
        assert seen.page.evaluate(run) == []


def test_the_worst_stands_first_and_sites_can_be_sorted_searched_and_chosen(
    browser: Browser, fleet: Path
) -> None:
    with opened(browser, fleet) as seen:
        rows = seen.page.locator("#sites tbody tr")
        expect(rows).to_have_count(5)
        expect(rows.nth(0)).to_contain_text("not complete: run.json cannot be read")
        expect(rows.nth(1)).to_contain_text("fell.example")
        expect(rows.nth(1)).to_contain_text("\N{MINUS SIGN}40.0 worse")
        expect(rows.nth(2)).to_contain_text("+40.0 better")
        seen.page.click("#sites th:has-text('change')")
        expect(rows.first).to_contain_text("fell.example")
        seen.page.select_option("#state", "not complete")
        expect(rows).to_have_count(2)
        seen.page.select_option("#state", "")
        seen.page.locator("#sites input[type=search]").fill("was stopped")
        expect(rows).to_have_count(1)
        expect(rows.first).to_contain_text("halted.example")


def test_a_site_leads_to_its_report(browser: Browser, fleet: Path) -> None:
    with opened(browser, fleet) as seen:
        seen.page.click("#sites a:has-text('fell.example')")
        expect(seen.page).to_have_title("fell.example")


def test_hostile_names_run_nothing_and_lead_to_their_reports(browser: Browser, trap: Path) -> None:
    with opened(browser, trap) as seen:
        seen.page.locator("#sites input[type=search]").fill("<")
        seen.page.locator("#sites input[type=search]").fill("")
        assert seen.page.evaluate("window.caught") is None
        assert seen.page.locator("img, iframe, object, embed").count() == 0
        assert (seen.console, seen.requests) == ([], [])
        links = seen.page.eval_on_selector_all(
            "#sites tbody a", "links => links.map(each => [each.textContent, each.href])"
        )
        assert len(links) == 7
        for name, address in links:
            seen.page.goto(address)
            assert seen.page.title().split() == name.split()
