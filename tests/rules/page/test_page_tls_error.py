"""page-tls-error: the certificate is invalid, or the handshake fails."""

import pytest

from sitemapaudit.items import Error
from tests.pages.responses import URL, failed
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "page-tls-error"


@pytest.mark.parametrize("detail", ["certificate has expired", "robots.txt: self-signed"])
def test_message_contains_the_reason(detail: str) -> None:
    tables = tables_of([listed(URL), failed(Error.TLS, detail)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", f"returns no usable response (TLS: {detail})")]
    assert list(tables.findings.loc[tables.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(tables.urls["verdict"]) == ["unreachable"]
    assert list(tables.urls["indexable"].isna()) == [True]
