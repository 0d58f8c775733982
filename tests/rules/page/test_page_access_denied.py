"""page-access-denied: 401, 403, 407 or 429, or a bot challenge."""

import pytest

from tests.pages.responses import URL, head, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "page-access-denied"


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
def test_a_challenge_is_the_only_finding(line: str, status: int) -> None:
    body = head("<meta name=robots content='index, noindex'>")
    page = page_of(body, line, "X-Robots-Tag: noindex", status=status)
    tables = tables_of([listed(URL), page], RULE)
    assert list(tables.findings.loc[tables.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(tables.urls["verdict"]) == ["denied"]
    assert list(tables.urls["indexable"].isna()) == [True]
    ((_, severity, message),) = rule_on(tables, RULE)
    assert severity == "warning"
    assert message == f"returns {status} ({line.lower()}): its content is unknown"


@pytest.mark.parametrize(
    "line", ["cf-mitigated: none", "x-amzn-waf-action: count", "cf-ray: 1", "server: cloudflare"]
)
def test_other_headers_are_not_a_challenge(line: str) -> None:
    assert rule_on(tables_of([listed(URL), page_of(head(), line)], RULE), RULE) == []
