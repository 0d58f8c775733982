"""render-failed: the browser failed, or robots.txt keeps from it what the page needs."""

from pathlib import Path

import pytest

from sitemapaudit.items import Error
from tests.support import answered, build_run, listed, rendered, rule_on

RULE = "render-failed"
URL = "https://www.example.com/a"
OWN, OTHER = "https://www.example.com/x.js", "https://cdn.example.net/x.js"


@pytest.mark.parametrize(
    ("error", "detail", "message"),
    [
        (Error.TIMEOUT, "it did not load", "could not be rendered: it did not load"),
        (Error.CRASHED, "Page crashed", "could not be rendered: Page crashed"),
        (Error.BROWSER, None, "could not be rendered: browser"),
    ],
)
def test_the_browser_fails(tmp_path: Path, error: Error, detail: str | None, message: str) -> None:
    page = answered(URL, noindex=False)
    row = rendered(page, None, error=error, error_detail=detail)
    run = build_run(tmp_path, [listed(URL), page, row])
    assert rule_on(run, RULE) == [(URL, "notice", message)]
    assert run.urls["verdict"].tolist() == ["indexable"]


@pytest.mark.parametrize(
    ("blocked", "expected"),
    [
        ([], []),
        ([OTHER], []),
        ([OWN], [(URL, "notice", f"needs what robots.txt forbids: {OWN}")]),
        ([OTHER, OWN], [(URL, "notice", f"needs what robots.txt forbids: {OWN}")]),
    ],
)
def test_what_the_page_needs(
    tmp_path: Path, blocked: list[str], expected: list[tuple[str, str, str]]
) -> None:
    page = answered(URL, noindex=False)
    run = build_run(tmp_path, [listed(URL), page, rendered(page, blocked=blocked)])
    assert rule_on(run, RULE) == expected


def test_a_page_that_was_not_rendered(tmp_path: Path) -> None:
    page = answered(URL, noindex=False)
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
