"""page-status-unusual: 1xx, 2xx other than 200, 3xx that is no redirect, or 200 without a body."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-status-unusual"
STATUSES = [
    (100, ["warning"]),
    (101, ["warning"]),
    (199, ["warning"]),
    (200, []),
    (201, ["warning"]),
    (202, ["warning"]),
    (203, ["warning"]),
    (204, ["warning"]),
    (205, ["warning"]),
    (206, ["warning"]),
    (299, ["warning"]),
    (300, ["warning"]),
    (301, []),
    (302, []),
    (303, []),
    (304, ["warning"]),
    (305, ["warning"]),
    (306, ["warning"]),
    (307, []),
    (308, []),
    (309, ["warning"]),
    (399, ["warning"]),
    (400, []),
    (404, []),
    (500, []),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    pages = [page_of("x", at=f"{SITE}/{status}", status=status) for status, _ in STATUSES]
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages])


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_status(run: Run, status: int, expected: list[str]) -> None:
    place = f"{SITE}/{status}"
    assert [severity for url, severity, _ in rule_on(run, RULE) if url == place] == expected


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (page_of(""), ["answers 200 with an empty body"]),
        (page_of("", media="application/pdf"), ["answers 200 with an empty body"]),
        (page_of("x"), []),
        (page_of(" "), []),
        (page_of("", "Content-Length: 0", media="image/png", skipped=True), [
            "answers 200 with an empty body"
        ]),
        (page_of("", "Content-Length: 1", media="image/png", skipped=True), []),
        (page_of("", media="image/png", skipped=True), []),
        (page_of("", status=204), ["answers 204"]),
        (page_of("", status=404), []),
    ],
)  # fmt: skip
def test_empty_body(tmp_path: Path, page: Page, expected: list[str]) -> None:
    run = build_run(tmp_path, [listed(URL), page])
    assert [message for _, _, message in rule_on(run, RULE)] == expected


def test_behind_a_redirect(tmp_path: Path) -> None:
    empty = page_of(at=f"{SITE}/b")
    run = build_run(tmp_path, [listed(URL), redirect(URL, "/b"), empty])
    message = f"redirects to {SITE}/b, which answers 200 with an empty body"
    assert rule_on(run, RULE) == [(URL, "warning", message)]


@pytest.mark.parametrize(
    "page",
    [
        blocked(),
        failed(Error.TIMEOUT),
        page_of("", "cf-mitigated: challenge"),
        page_of("x", "x-amzn-waf-action: challenge", status=202),
        page_of(b"\x1f\x8b", "Content-Encoding: gzip"),
        page_of(b"\x1f\x8b", "Content-Encoding: gzip", status=203),
    ],
)
def test_silent_where_the_page_is_not_known(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
