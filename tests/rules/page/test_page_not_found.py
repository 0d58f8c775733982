"""page-not-found: the final status is 404 or 410."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page, Role
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import SITEMAP, build_run, listed, rule_on

RULE = "page-not-found"
STATUSES = [
    (200, []),
    (204, []),
    (301, []),
    (400, []),
    (401, []),
    (403, []),
    (404, ["error"]),
    (405, []),
    (409, []),
    (410, ["error"]),
    (411, []),
    (429, []),
    (500, []),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    pages = [page_of(at=f"{SITE}/{status}", status=status) for status, _ in STATUSES]
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages])


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_status(run: Run, status: int, expected: list[str]) -> None:
    place = f"{SITE}/{status}"
    assert [severity for url, severity, _ in rule_on(run, RULE) if url == place] == expected


def test_message_and_place(run: Run) -> None:
    assert rule_on(run, RULE)[0] == (f"{SITE}/404", "error", "answers 404")
    assert set(run.findings["sitemap"]) == {SITEMAP}


def test_behind_a_redirect(tmp_path: Path) -> None:
    gone = page_of(at=f"{SITE}/c", status=410, role=Role.REDIRECT)
    pages = [redirect(URL, "/b"), redirect(f"{SITE}/b", "/c"), gone]
    run = build_run(tmp_path, [listed(URL), *pages])
    message = f"redirects to {SITE}/c, which answers 410"
    assert rule_on(run, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        failed(Error.LIMIT),
        page_of("", "cf-mitigated: challenge", status=404),
        redirect(URL, "/not-asked-for"),
    ],
)
def test_silent_where_the_page_is_not_known(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []


def test_only_listed_urls_are_judged(tmp_path: Path) -> None:
    target = page_of(at=f"{SITE}/b", status=404, role=Role.CANONICAL)
    assert rule_on(build_run(tmp_path, [listed(URL), page_of(), target]), RULE) == []
