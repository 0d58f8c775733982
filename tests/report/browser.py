"""A browser without a network that records the console messages and requests of a page."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from sitemapaudit.rendering.browser import find_browser

_VIOLATIONS = """([part, options]) => axe.run(part, options).then(
    results => results.violations.map(each => [each.id, each.nodes[0].html])
)"""

PHONE = {"viewport": {"width": 360, "height": 740}}
LOOKS: list[dict[str, Any]] = [{}, {"color_scheme": "dark"}, PHONE]
CHECKS: list[dict[str, Any]] = [
    {},
    {"runOnly": ["color-contrast", "link-in-text-block"]},
    {"rules": {"color-contrast": {"enabled": False}}},
]
"""The options of axe for each look: only the dark one has other colors, and has nothing else."""

_RESET = """() => {
    document.querySelector('dialog[open]')?.close();
    history.replaceState(null, '', location.href.split('#')[0]);
    document.getElementById('toggle-all').setAttribute('aria-pressed', 'false');
    for (const each of document.querySelectorAll('details[open]')) each.open = false;
    for (const each of document.forms) {
        each.reset();
        each.dispatchEvent(new Event('input'));
    }
    for (const each of document.querySelectorAll('.filters select, input[type=search]')) {
        each.value = '';
        each.dispatchEvent(new Event('input', { bubbles: true }));
    }
    scrollTo(0, 0);
}"""


@dataclass
class OpenPage:
    """An open page, the messages in its console, and its requests for anything but itself."""

    page: Page
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def data(self) -> Any:
        return self.page.evaluate("JSON.parse(document.getElementById('data').textContent)")

    def go_to(self, fragment: str) -> None:
        self.page.evaluate("to => { location.hash = to }", fragment)

    def visible_rules(self) -> list[str]:
        ids: list[str] = self.page.eval_on_selector_all(
            ".rule", "rules => rules.filter(each => each.checkVisibility()).map(each => each.id)"
        )
        return ids

    def reset(self) -> None:
        """Close and clear everything in a report; examples and the order of rows stay."""
        self.page.evaluate(_RESET)


@contextmanager
def launch() -> Iterator[Browser]:
    program = find_browser("").program
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def open_page(
    browser: Browser, file: Path, fragment: str = "", **options: Any
) -> Iterator[OpenPage]:
    context = browser.new_context(offline=True, **options)
    opened = OpenPage(context.new_page())
    opened.page.on("console", lambda message: opened.console.append(message.text))
    opened.page.on("pageerror", lambda error: opened.console.append(str(error)))
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    opened.page.goto(file.as_uri() + fragment)
    opened.requests = [url for url in opened.requests if not url.startswith(file.as_uri())]
    yield opened
    context.close()


def violations(page: Page, check: dict[str, Any] | None = None, part: str = "html") -> list[Any]:
    """Return what axe complains about in a part of a page; ``check`` are its options."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(_axe_script())
    found: list[Any] = page.evaluate(_VIOLATIONS, [part, check or {}])
    return found


def _axe_script() -> str:
    package = find_spec("axe_playwright_python")
    assert package is not None
    assert package.submodule_search_locations is not None
    return Path(package.submodule_search_locations[0], "axe.min.js").read_text(encoding="utf-8")
