"""page-server-error: the final status, after retries, is 500 to 599."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-server-error"
STATUSES = [
    (200, []),
    (404, []),
    (429, []),
    (499, []),
    (500, ["error"]),
    (502, ["error"]),
    (503, ["error"]),
    (520, ["error"]),
    (599, ["error"]),
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


@pytest.mark.parametrize(("retries", "times"), [(0, 1), (2, 3)])
def test_message_counts_the_tries(tmp_path: Path, retries: int, times: int) -> None:
    run = build_run(tmp_path, [listed(URL), page_of(status=503, retries=retries)])
    assert rule_on(run, RULE) == [(URL, "error", f"answers 503, {times} times in a row")]


def test_behind_a_redirect(tmp_path: Path) -> None:
    broken = page_of(at=f"{SITE}/b", status=500, retries=1)
    run = build_run(tmp_path, [listed(URL), redirect(URL, "/b"), broken])
    message = f"redirects to {SITE}/b, which answers 500, 2 times in a row"
    assert rule_on(run, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        page_of("", "cf-mitigated: challenge", status=503),
        redirect(URL, "/not-asked-for"),
    ],
)
def test_silent_where_the_page_is_not_known(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
