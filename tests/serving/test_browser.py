"""The website in a browser: with and without scripts, by keyboard, and on a phone."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sitemapaudit.demo import documents
from sitemapaudit.demo.server import Reply, ServerRequest
from sitemapaudit.demo.server import Server as SiteServer
from sitemapaudit.runs.folders import find_run
from tests.report.browser import violations
from tests.report.site import IMAGE, SCRIPT
from tests.serving.conftest import EARLIER, RUN, Server

pytestmark = pytest.mark.xdist_group("serving")

LONG = 60_000
"""Milliseconds that a busy machine may take."""

LOOKS: list[dict[str, Any]] = [
    {},
    {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"},
]
PAGES = {
    "": "Sitemap audits",
    "runs?site=www.example.com": "Runs of www.example.com",
    f"compare?earlier={EARLIER}&later={RUN}": "Comparison of two runs",
    "report?run=nowhere": "Not possible",
}


@contextmanager
def let_in(browser: Browser, server: Server, **options: Any) -> Iterator[tuple[Page, list[str]]]:
    """Open the address of the server; also return the messages in the console."""
    context = browser.new_context(**options)
    page, console = context.new_page(), list[str]()
    page.on("console", lambda message: console.append(message.text))
    page.on("pageerror", lambda error: console.append(str(error)))
    page.goto(server.address)
    yield page, console
    context.close()


@pytest.mark.parametrize("look", LOOKS, ids=["wide", "phone"])
def test_every_page_is_accessible_and_fits(
    browser: Browser, server: Server, look: dict[str, Any]
) -> None:
    with let_in(browser, server, **look) as (page, console):
        for path, title in PAGES.items():
            page.goto(f"{server.origin}/{path}")
            assert page.title() == title
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate("window.caught") is None
    assert [text for text in console if "404" not in text] == []


def test_names_of_sites_are_never_markup(server: Server) -> None:
    markup = server.ask("/").body + server.ask("/runs").body
    assert SCRIPT not in markup
    assert IMAGE not in markup


def test_two_runs_are_compared_with_two_clicks_and_without_scripts(
    browser: Browser, server: Server
) -> None:
    before = {file: file.stat().st_mtime_ns for file in server.folder.rglob("*")}
    with let_in(browser, server, java_script_enabled=False) as (page, _):
        page.goto(f"{server.origin}/runs?site=www.example.com")
        page.get_by_label(f"earlier: {EARLIER}").check()
        page.get_by_role("button", name="Compare these two runs").click()
        expect(page).to_have_title("Comparison of two runs")
        page.wait_for_load_state()
        text = page.inner_text("main")
        assert f"compared with {EARLIER}. Neither run was changed." in text
        assert "indexable → not-found" in text
        assert "added" in page.get_by_role("region", name="Changes").inner_text()
    assert {file: file.stat().st_mtime_ns for file in server.folder.rglob("*")} == before


def test_a_report_cannot_act_as_a_page_of_the_server(browser: Browser, server: Server) -> None:
    with let_in(browser, server) as (page, _):
        page.goto(server.origin)
        page.get_by_role("link", name="Report of www.example.com").click()
        expect(page).to_have_title("A report")
        page.wait_for_load_state()
        assert page.evaluate("origin") == "null"
        assert page.evaluate("window.tries") == ["rejected"] * 3
        assert page.url.endswith(f"/report?run={RUN}")  # Its form was not sent.


@contextmanager
def slow_site() -> Iterator[tuple[str, Event]]:
    """Serve a website whose pages do not arrive before an event; yield its origin, and that."""
    arrives = Event()

    def reply(request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {site.origin}/sitemap.xml\n", headers=[documents.TEXT])
        if request.path == "/sitemap.xml":
            entries = (documents.entry(f"{site.origin}/{number}") for number in range(100))
            return documents.xml(documents.urlset(entries))
        arrives.wait(60)
        return documents.page(request.path)

    with SiteServer(reply) as site:
        yield site.origin, arrives


def test_an_audit_is_started_watched_and_stopped_by_keyboard(
    browser: Browser, server: Server
) -> None:
    with slow_site() as (origin, arrives), let_in(browser, server) as (page, console):
        name = origin.removeprefix("http://").replace(":", "-")
        page.get_by_label("site", exact=True).focus()
        page.keyboard.type(origin)
        page.keyboard.press("Enter")
        expect(page.locator("#started progress")).to_be_visible(timeout=LONG)
        expect(page.locator("#started")).to_contain_text("of 100 listed URLs", timeout=LONG)
        page.get_by_role("button", name=f"Stop {origin}").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#started")).to_contain_text("it is stopping", timeout=LONG)
        arrives.set()
        expect(page.locator("#started")).to_contain_text("incomplete", timeout=LONG)
        page.get_by_role("link", name="report", exact=True).click()
        expect(page).to_have_title(re.compile(re.escape(origin)))
    assert console == []
    run = find_run(server.folder / name)
    assert json.loads((run / "run.json").read_bytes())["status"] == "interrupted"
    rows = server.ask(f"/runs?site={name}").body
    assert f'aria-label="Resume {name}/{run.name}"' in rows
