"""page-connection-error: DNS failure, refused, reset, or what comes back is not HTTP."""

import json
from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, URL, blocked, failed, page_of, redirect
from tests.support import build_run, listed, rule_on

RULE = "page-connection-error"
ERRORS = [
    (Error.DNS, ["error"]),
    (Error.REFUSED, ["error"]),
    (Error.RESET, ["error"]),
    (Error.TRUNCATED, ["error"]),
    (Error.INVALID_HTTP, ["error"]),
    (Error.PRIVATE_ADDRESS, ["error"]),
    (Error.TIMEOUT, []),
    (Error.TLS, []),
    (Error.LIMIT, []),
    (Error.INTERNAL, []),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    pages = [failed(error, at=f"{SITE}/{error}") for error, _ in ERRORS]
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages])


@pytest.mark.parametrize(("error", "expected"), ERRORS)
def test_error(run: Run, error: Error, expected: list[str]) -> None:
    place = f"{SITE}/{error}"
    assert [severity for url, severity, _ in rule_on(run, RULE) if url == place] == expected


def test_what_cannot_be_decoded(tmp_path: Path) -> None:
    page = page_of(b"\x1f\x8b\x08 broken", "Content-Encoding: gzip")
    ((url, severity, message),) = rule_on(build_run(tmp_path, [listed(URL), page]), RULE)
    assert (url, severity) == (URL, "error")
    assert message.startswith("answers nothing usable (encoding: ")


def test_the_kind_is_kept(tmp_path: Path) -> None:
    page = failed(Error.DNS, "the host name cannot be resolved", retries=2)
    run = build_run(tmp_path, [listed(URL), page])
    message = "answers nothing usable (dns: the host name cannot be resolved)"
    assert rule_on(run, RULE) == [(URL, "error", message)]
    evidence = json.loads(run.findings["evidence"][0])
    assert (evidence["error"], evidence["retries"]) == ("dns", 2)


def test_that_it_was_robots_txt_is_told(tmp_path: Path) -> None:
    page = failed(Error.REFUSED, "robots.txt: the connection was refused")
    ((_, _, message),) = rule_on(build_run(tmp_path, [listed(URL), page]), RULE)
    assert message == "answers nothing usable (refused: robots.txt: the connection was refused)"


def test_behind_a_redirect(tmp_path: Path) -> None:
    dead = failed(Error.RESET, "closed", at="https://other.example/")
    run = build_run(tmp_path, [listed(URL), redirect(URL, dead.url), dead])
    message = f"redirects to {dead.url}, which answers nothing usable (reset: closed)"
    assert rule_on(run, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize("page", [blocked(), page_of(), page_of(status=503)])
def test_silent_with_an_answer_or_without_permission(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []
