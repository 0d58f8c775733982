"""page-tls-error: the certificate is invalid, or the handshake fails."""

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import rule_on, tables_of
from tests.support import listed

RULE = "page-tls-error"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (failed(Error.TLS, "certificate has expired"), ["error"]),
        (failed(Error.DNS), []),
        (failed(Error.REFUSED), []),
        (failed(Error.TIMEOUT), []),
        (failed(Error.INTERNAL), []),
        (page_of(), []),
        (page_of(status=526), []),
        (blocked(), []),
    ],
)
def test_error(page: Page, expected: list[str]) -> None:
    tables = tables_of([listed(URL), page], RULE)
    assert [severity for _, severity, _ in rule_on(tables, RULE)] == expected


@pytest.mark.parametrize("detail", ["certificate has expired", "robots.txt: self-signed"])
def test_message_contains_the_reason(detail: str) -> None:
    tables = tables_of([listed(URL), failed(Error.TLS, detail)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", f"returns no usable response (TLS: {detail})")]
    assert list(tables.findings.loc[tables.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(tables.urls["verdict"]) == ["unreachable"]
    assert list(tables.urls["indexable"].isna()) == [True]


def test_the_end_of_a_redirect_is_reported() -> None:
    failure = failed(Error.TLS, "the certificate names another host", at=f"{SITE}/b")
    tables = tables_of([listed(URL), redirect(URL, "/b"), failure], RULE)
    ((url, severity, message),) = rule_on(tables, RULE)
    assert (url, severity) == (URL, "error")
    assert message.startswith(f"redirects to {SITE}/b, which returns no usable response (TLS: ")
