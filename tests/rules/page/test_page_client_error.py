"""page-client-error: another 4xx than 401, 403, 404, 407, 410 and 429."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-client-error"
STATUSES = [
    (200, []),
    (301, []),
    (304, []),
    (399, []),
    (400, ["error"]),
    (401, []),
    (402, ["error"]),
    (403, []),
    (404, []),
    (405, ["error"]),
    (406, ["error"]),
    (407, []),
    (408, ["error"]),
    (409, ["error"]),
    (410, []),
    (411, ["error"]),
    (418, ["error"]),
    (428, ["error"]),
    (429, []),
    (430, ["error"]),
    (451, ["error"]),
    (499, ["error"]),
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


def test_message_behind_a_redirect_and_without(tmp_path: Path) -> None:
    teapot = page_of(at=f"{SITE}/b", status=418)
    run = build_run(tmp_path, [listed(URL, teapot.url), redirect(URL, "/b"), teapot])
    assert rule_on(run, RULE) == [
        (URL, "error", f"redirects to {SITE}/b, which answers 418"),
        (teapot.url, "error", "answers 418"),
    ]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        page_of("", "x-amzn-waf-action: captcha", status=405),
        redirect(URL, "/not-asked-for"),
    ],
)
def test_silent_where_the_page_is_not_known(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
