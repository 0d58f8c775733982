"""canonical-to-error: the target answers 4xx or 5xx, or not at all."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Page, Role
from tests.pages.answers import SITE, URL, blocked, canonical, failed, head, page_of
from tests.support import build_run, listed, rule_on

RULE = "canonical-to-error"
STATUSES = [
    (200, []),
    (204, []),
    (301, []),
    (304, []),
    (399, []),
    (400, ["error"]),
    (401, []),
    (402, ["error"]),
    (403, []),
    (404, ["error"]),
    (405, ["error"]),
    (407, []),
    (410, ["error"]),
    (429, []),
    (451, ["error"]),
    (499, ["error"]),
    (500, ["error"]),
    (503, ["error"]),
    (599, ["error"]),
]
ERRORS = [
    (Error.DNS, ["error"]),
    (Error.REFUSED, ["error"]),
    (Error.RESET, ["error"]),
    (Error.TIMEOUT, ["error"]),
    (Error.TLS, ["error"]),
    (Error.TRUNCATED, ["error"]),
    (Error.INVALID_HTTP, ["error"]),
    (Error.LIMIT, []),
    (Error.INTERNAL, []),
]


def naming(target: str, at: str) -> Page:
    return page_of(head(canonical(target)), at=at)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run in which /from-<case> names /to-<case> as its canonical."""
    targets = [page_of(at=f"{SITE}/to-{status}", status=status) for status, _ in STATUSES]
    targets += [failed(error, at=f"{SITE}/to-{error}") for error, _ in ERRORS]
    pages = [naming(target.url, target.url.replace("/to-", "/from-")) for target in targets]
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages, *targets])


@pytest.mark.parametrize(("case", "expected"), [*STATUSES, *ERRORS])
def test_target(run: Run, case: int | Error, expected: list[str]) -> None:
    place = f"{SITE}/from-{case}"
    assert [severity for url, severity, _ in rule_on(run, RULE) if url == place] == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (page_of(at=f"{SITE}/b", status=410), "answers 410"),
        (failed(Error.DNS, at=f"{SITE}/b"), "gives no answer (dns)"),
    ],
)
def test_message(tmp_path: Path, target: Page, expected: str) -> None:
    run = build_run(tmp_path, [listed(URL), naming(target.url, URL), target])
    message = f"names the canonical {SITE}/b, which {expected}"
    assert rule_on(run, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "target",
    [
        blocked(f"{SITE}/b"),
        page_of("", "cf-mitigated: challenge", at=f"{SITE}/b", status=503),
        page_of("", "x-amzn-waf-action: captcha", at=f"{SITE}/b", status=405),
    ],
)
def test_silent_where_the_target_is_not_known(tmp_path: Path, target: Page) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), naming(target.url, URL), target]), RULE) == []


def test_silent_where_the_target_was_not_asked_for(tmp_path: Path) -> None:
    assert rule_on(build_run(tmp_path, [listed(URL), naming("/b", URL)]), RULE) == []


def test_an_error_of_the_page_itself_is_not_told_here(tmp_path: Path) -> None:
    page = page_of("", f"Link: <{URL}>; rel=canonical", status=404)
    assert rule_on(build_run(tmp_path, [listed(URL), page]), RULE) == []


def test_only_listed_pages_are_judged(tmp_path: Path) -> None:
    hop = page_of(head(canonical("/b")), at=f"{SITE}/c", role=Role.REDIRECT)
    target = page_of(at=f"{SITE}/b", status=404, role=Role.CANONICAL)
    assert rule_on(build_run(tmp_path, [listed(URL), page_of(head()), hop, target]), RULE) == []
