"""canonical-to-error: the target returns 4xx or 5xx, or no response."""

import pytest

from sitemapaudit.items import Error, Page, Role
from tests.pages.responses import SITE, URL, blocked, canonical, failed, head, page_of
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import listed

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
    (Error.IGNORED, []),
    (Error.NOT_IN_BUILD, []),
    (Error.NOT_ON_STAGING, []),
    (Error.ADDRESS_REFUSED, []),
]


def page_naming(target: str, at: str) -> Page:
    return page_of(head(canonical(target)), at=at)


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Return tables in which /from-<case> has the canonical /to-<case>."""
    targets = [page_of(at=f"{SITE}/to-{status}", status=status) for status, _ in STATUSES]
    targets += [failed(error, at=f"{SITE}/to-{error}") for error, _ in ERRORS]
    pages = [page_naming(target.url, target.url.replace("/to-", "/from-")) for target in targets]
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages, *targets], RULE)


@pytest.mark.parametrize(("case", "expected"), [*STATUSES, *ERRORS])
def test_target(tables: Tables, case: int | Error, expected: list[str]) -> None:
    place = f"{SITE}/from-{case}"
    assert [severity for url, severity, _ in rule_on(tables, RULE) if url == place] == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (page_of(at=f"{SITE}/b", status=410), "returns 410"),
        (failed(Error.DNS, at=f"{SITE}/b"), "returns no response (dns)"),
    ],
)
def test_message(target: Page, expected: str) -> None:
    tables = tables_of([listed(URL), page_naming(target.url, URL), target], RULE)
    message = f"is canonicalized to {SITE}/b, which {expected}"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize(
    "target",
    [
        blocked(f"{SITE}/b"),
        page_of("", "cf-mitigated: challenge", at=f"{SITE}/b", status=503),
        page_of("", "x-amzn-waf-action: captcha", at=f"{SITE}/b", status=405),
    ],
)
def test_nothing_is_reported_if_the_target_is_unknown(target: Page) -> None:
    assert rule_on(tables_of([listed(URL), page_naming(target.url, URL), target], RULE), RULE) == []


def test_nothing_is_reported_if_the_target_was_not_fetched() -> None:
    assert rule_on(tables_of([listed(URL), page_naming("/b", URL)], RULE), RULE) == []


def test_an_error_of_the_page_itself_is_not_reported() -> None:
    page = page_of("", f"Link: <{URL}>; rel=canonical", status=404)
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []


def test_only_listed_pages_are_checked() -> None:
    hop = page_of(head(canonical("/b")), at=f"{SITE}/c", role=Role.REDIRECT)
    target = page_of(at=f"{SITE}/b", status=404, role=Role.CANONICAL)
    assert rule_on(tables_of([listed(URL), page_of(head()), hop, target], RULE), RULE) == []
