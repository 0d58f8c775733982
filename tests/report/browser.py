"""A browser without a network, that keeps what a page complains of and what it asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from sitemapaudit.rendering.browser import find_browser


@dataclass
class Opened:
    """A page, what its console says, and what it asks for beside itself."""

    page: Page
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def data(self) -> Any:
        return self.page.evaluate("JSON.parse(document.getElementById('data').textContent)")

    def go(self, fragment: str) -> None:
        self.page.evaluate("to => { location.hash = to }", fragment)

    def shown_rules(self) -> list[str]:
        ids: list[str] = self.page.eval_on_selector_all(
            ".rule", "rules => rules.filter(each => each.checkVisibility()).map(each => each.id)"
        )
        return ids

    def draw_all(self) -> None:
        """Scroll by, so that every chart is drawn."""
        for chart in self.page.locator("[data-chart]").all():
            chart.scroll_into_view_if_needed()
            chart.locator(".main-svg").first.wait_for()


@contextmanager
def launched() -> Iterator[Browser]:
    program = find_browser("").program
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, file: Path, fragment: str = "", **options: Any) -> Iterator[Opened]:
    context = browser.new_context(offline=True, **options)
    seen = Opened(context.new_page())
    seen.page.on("console", lambda message: seen.console.append(message.text))
    seen.page.on("pageerror", lambda error: seen.console.append(str(error)))
    seen.page.on("request", lambda request: seen.requests.append(request.url))
    seen.page.goto(file.as_uri() + fragment)
    seen.requests = [url for url in seen.requests if not url.startswith(file.as_uri())]
    yield seen
    context.close()


def axe_script() -> str:
    """Return axe, which finds what keeps people out of a page."""
    found = find_spec("axe_playwright_python")
    assert found is not None
    assert found.submodule_search_locations is not None
    return Path(found.submodule_search_locations[0], "axe.min.js").read_text(encoding="utf-8")
