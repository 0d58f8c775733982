"""page-connection-error: DNS failure, refused, reset, or a response that is not HTTP."""

import json

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support import listed

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
def tables() -> Tables:
    pages = [failed(error, at=f"{SITE}/{error}") for error, _ in ERRORS]
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages], RULE)


@pytest.mark.parametrize(("error", "expected"), ERRORS)
def test_error(tables: Tables, error: Error, expected: list[str]) -> None:
    place = f"{SITE}/{error}"
    assert [severity for url, severity, _ in rule_on(tables, RULE) if url == place] == expected


def test_a_response_that_cannot_be_decoded_is_reported() -> None:
    page = page_of(b"\x1f\x8b\x08 broken", "Content-Encoding: gzip")
    ((url, severity, message),) = rule_on(tables_of([listed(URL), page], RULE), RULE)
    assert (url, severity) == (URL, "error")
    assert message.startswith("returns no usable response (encoding: ")


def test_message_and_evidence_contain_the_error() -> None:
    page = failed(Error.DNS, "the host name cannot be resolved", retries=2)
    tables = tables_of([listed(URL), page], RULE)
    message = "returns no usable response (dns: the host name cannot be resolved)"
    assert rule_on(tables, RULE) == [(URL, "error", message)]
    evidence = json.loads(tables.findings["evidence"][0])
    assert (evidence["error"], evidence["retries"]) == ("dns", 2)


def test_message_says_that_robots_txt_failed() -> None:
    page = failed(Error.REFUSED, "robots.txt: the connection was refused")
    ((_, _, message),) = rule_on(tables_of([listed(URL), page], RULE), RULE)
    assert message == "returns no usable response (refused: robots.txt: the connection was refused)"


def test_the_end_of_a_redirect_is_reported() -> None:
    dead = failed(Error.RESET, "closed", at="https://other.example/")
    tables = tables_of([listed(URL), redirect(URL, dead.url), dead], RULE)
    message = f"redirects to {dead.url}, which returns no usable response (reset: closed)"
    assert rule_on(tables, RULE) == [(URL, "error", message)]


@pytest.mark.parametrize("page", [blocked(), page_of(), page_of(status=503)])
def test_a_response_or_a_blocked_page_is_not_reported(page: Page) -> None:
    assert rule_on(tables_of([listed(URL), page], RULE), RULE) == []
