"""page-access-denied: 401, 403, 407 or 429, or a bot challenge."""

import gzip

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
        ("sg-captcha: challenge", 202),
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


def _of_imperva(text: str = "", robots: str = "NOINDEX, NOFOLLOW") -> bytes:
    """Return a page as Imperva sends it, with a text of the site."""
    address = "/_Incapsula_Resource?CWUDNSAI=23"
    return (
        f'<html><head><META NAME="ROBOTS" CONTENT="{robots}">'
        '<script src="/_Incapsula_Resource?SWJIYLWA=719d"></script></head><body style="margin:0">'
        f'{text}<iframe src="{address}">Request unsuccessful. Incapsula incident ID: 12</iframe>'
        "</body></html>"
    ).encode()


@pytest.mark.parametrize("coding", ["", "gzip"])
def test_a_page_of_imperva_without_text_is_a_challenge(coding: str) -> None:
    body = gzip.compress(_of_imperva()) if coding else _of_imperva()
    page = page_of(body, f"Content-Encoding: {coding}")
    tables = tables_of([listed(URL), page], RULE)
    assert list(tables.findings.loc[tables.findings["subject"] == "page", "rule"]) == [RULE]
    assert list(tables.urls["verdict"]) == ["denied"]


@pytest.mark.parametrize(
    "body",
    [
        _of_imperva("<p>A page of the site"),
        _of_imperva(robots="index"),
        _of_imperva() + b" " * 4_096,
        # A pattern that could begin and end at each of these took nine seconds.
        b"<meta name=robots noindex" * 60 + b"/_Incapsula_Resource?" * 60 + b"<body>a<iframe" * 90,
    ],
    ids=["text", "index", "large", "hostile"],
)
def test_pages_to_which_imperva_adds_its_script_are_pages(body: bytes) -> None:
    assert rule_on(tables_of([listed(URL), page_of(body)], RULE), RULE) == []


@pytest.mark.parametrize(
    "line", ["cf-mitigated: none", "x-amzn-waf-action: count", "cf-ray: 1", "server: cloudflare"]
)
def test_other_headers_are_not_a_challenge(line: str) -> None:
    assert rule_on(tables_of([listed(URL), page_of(head(), line)], RULE), RULE) == []
