"""page-access-denied: 401, 403, 407 or 429, or the challenge of a bot protection."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, head, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-access-denied"
STATUSES = [
    (200, []),
    (301, []),
    (400, []),
    (401, ["warning"]),
    (402, []),
    (403, ["warning"]),
    (404, []),
    (406, []),
    (407, ["warning"]),
    (408, []),
    (428, []),
    (429, ["warning"]),
    (430, []),
    (451, []),
    (503, []),
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


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("cf-mitigated: challenge", 200),
        ("CF-Mitigated: Challenge", 403),
        ("cf-mitigated: challenge", 503),
        ("x-amzn-waf-action: challenge", 202),
        ("x-amzn-waf-action: captcha", 405),
    ],
)
def test_challenge_is_all_that_is_said(tmp_path: Path, line: str, status: int) -> None:
    body = head("<meta name=robots content='index, noindex'>")
    page = page_of(body, line, "X-Robots-Tag: noindex", status=status)
    run = build_run(tmp_path, [listed(URL), page])
    assert list(run.findings.loc[run.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(run.urls["verdict"]) == ["denied"]
    assert list(run.urls["indexable"].isna()) == [True]
    ((_, severity, message),) = rule_on(run, RULE)
    assert severity == "warning"
    assert message == f"answers {status} ({line.lower()}): what it says could not be known"


@pytest.mark.parametrize(
    "line", ["cf-mitigated: none", "x-amzn-waf-action: count", "cf-ray: 1", "server: cloudflare"]
)
def test_no_challenge(tmp_path: Path, line: str) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page_of(head(), line)]), RULE) == []


def test_behind_a_redirect(tmp_path: Path) -> None:
    denied = page_of(at=f"{SITE}/b", status=403)
    run = build_run(tmp_path, [listed(URL), redirect(URL, "/b"), denied])
    message = f"redirects to {SITE}/b, which answers 403: what it says could not be known"
    assert rule_on(run, RULE) == [(URL, "warning", message)]


@pytest.mark.parametrize(
    "page", [blocked(), failed(Error.TIMEOUT), failed(Error.LIMIT), redirect(URL, "/b")]
)
def test_what_else_is_not_known(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
