"""canonical-to-redirect: the target answers with a redirect."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, canonical, failed, head, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "canonical-to-redirect"
STATUSES = [
    (200, []),
    (301, ["error"]),
    (302, ["error"]),
    (303, ["error"]),
    (304, []),
    (307, ["error"]),
    (308, ["error"]),
    (401, []),
    (404, []),
    (500, []),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run in which /from-<status> names /to-<status> as its canonical."""
    targets = [redirect(f"{SITE}/to-{status}", "/end", status) for status, _ in STATUSES]
    pages = [
        page_of(head(canonical(f"/to-{status}")), at=f"{SITE}/from-{status}")
        for status, _ in STATUSES
    ]
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages, *targets])


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_status(run: Run, status: int, expected: list[str]) -> None:
    place = f"{SITE}/from-{status}"
    assert [severity for url, severity, _ in rule_on(run, RULE) if url == place] == expected


def test_message(tmp_path: Path) -> None:
    target = redirect(f"{SITE}/b", "/c", 308)
    run = build_run(tmp_path, [listed(URL), page_of(head(canonical("/b"))), target])
    message = f"names the canonical {SITE}/b, which answers 308"
    assert rule_on(run, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "target",
    [
        blocked(f"{SITE}/b"),
        failed(Error.TIMEOUT, at=f"{SITE}/b"),
        redirect(f"{SITE}/c", "/b"),
    ],
)
def test_silent_where_the_target_is_not_known(tmp_path: Path, target: Page) -> None:
    run = build_run(tmp_path, [listed(URL), page_of(head(canonical("/b"))), target])
    assert rule_on(run, RULE) == []


def test_a_redirect_of_the_page_itself_is_not_told_here(tmp_path: Path) -> None:
    page = redirect(URL, "/b", 301, f"Link: <{URL}>; rel=canonical")
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
