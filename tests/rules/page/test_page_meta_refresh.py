"""page-meta-refresh: a refresh, by tag or header, that points to another URL."""

import pytest

from sitemapaudit.items import Role
from sitemapaudit.rendering.page_choice import PageChoice
from tests.pages.responses import SITE, URL, head, page_of
from tests.rules.tables import tables_of
from tests.support.findings import found, severities
from tests.support.rows import listed

RULE = "page-meta-refresh"
B, C = f"{SITE}/b", f"{SITE}/c"


def refresh(value: str) -> str:
    """Return a meta refresh."""
    return f'<meta http-equiv="refresh" content="{value}">'


VALUES = pytest.mark.parametrize(
    ("value", "expected"),
    [
        (f"0; url={B}", ["error"]),
        ("0;URL=/b", ["error"]),
        ("0, /b", ["error"]),
        ("0.9; url=/b", ["error"]),
        ("1; url=/b", ["warning"]),
        ("5; url=/b", ["warning"]),
        ("0; url=https://other.example/", ["error"]),
        ("0; url=/a/", ["error"]),
        ("0; url=/a?b", ["error"]),
        ("0; url=http://www.example.com/a", ["error"]),
        ("0", []),
        ("300", []),
        ("0; url=", []),
        (f"0; url={URL}", []),
        ("0; url=/a", []),
        ("5; url=/a#part", []),
        ("0; url=HTTPS://WWW.Example.com:443/%61", []),
        ("0; url=mailto:a@example.com", []),
        ("url=/b", []),
        ("soon; url=/b", []),
    ],
)


@VALUES
def test_tag(value: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(refresh(value)))) == expected


@VALUES
def test_header(value: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(head(), f"Refresh: {value}")) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<body><p>x</p>{refresh('0; url=/b')}", ["error"]),
        (f"<noscript>{refresh('0; url=/b')}</noscript>", []),
        (f"<!-- {refresh('0; url=/b')} -->", []),
        (f"<script>document.write('{refresh('0; url=/b')}')</script>", []),
        ('<meta name="refresh" content="0; url=/b">', []),
        (f"<base href='/x/'>{refresh('0; url=../a')}", []),
    ],
)
def test_place(body: str, expected: list[str]) -> None:
    assert severities(RULE, page_of(body)) == expected


def test_a_header_on_a_file_that_is_not_html_is_reported() -> None:
    page = page_of("%PDF", "Refresh: 0; url=/b", media="application/pdf")
    assert severities(RULE, page) == ["error"]


@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, ["error"]), (206, ["error"]), (299, ["error"]), (300, []), (304, []), (404, [])],
)
def test_status(status: int, expected: list[str]) -> None:
    page = page_of(head(), "Refresh: 0; url=/b", status=status)
    assert severities(RULE, page) == expected


def test_each_target_is_reported_once_with_the_shortest_delay() -> None:
    body = head(refresh("0; url=/b"), refresh("3; url=/b"), refresh("7; url=/c"), refresh("9"))
    findings = found(RULE, page_of(body, "Refresh: 5; url=/b"))
    assert [(finding.severity, finding.message) for finding in findings] == [
        ("error", f"redirects to {B} after 0 s with a meta refresh"),
        ("warning", f"redirects to {C} after 7 s with a meta refresh"),
    ]


def test_message_of_a_header() -> None:
    (finding,) = found(RULE, page_of(head(), "Refresh: 5; url=/b", role=Role.LISTED))
    assert finding.message == f"redirects to {B} after 5 s with a Refresh header"
    assert (finding.url, finding.subject) == (URL, "page")


REREDIRECTS = """<html><head><noscript><meta http-equiv="refresh" content="0; url=b" /></noscript>
<script>var target = "b";if (window.location.hash) {window.location.replace(target +
window.location.hash);} else {window.location.replace(target);}</script></head></html>"""
ZOLA = """<!doctype html><script>window.location.replace("/b")</script>
<noscript><meta http-equiv="refresh" content="0; url=/b"></noscript>"""
JEKYLL = """<!DOCTYPE html><title>Redirecting</title><link rel="canonical" href="/b">
<script>location="/b"</script><meta http-equiv="refresh" content="0; url=/b">
<meta name="robots" content="noindex"><h1>Redirecting</h1><a href="/b">Click here</a>"""
EMPTY = head(refresh("0; url=/b"))


def test_a_redirect_has_no_other_finding() -> None:
    modified = "Last-Modified: Sat, 01 Aug 2026 10:00:00 GMT"
    pages = [
        page_of(body, modified, at=f"{SITE}/{number}", role=Role.LISTED)
        for number, body in enumerate((REREDIRECTS, ZOLA, JEKYLL, EMPTY))
    ]
    assert {page.soft_404 for page in pages} == {None}
    tables = tables_of([listed(*(page.url for page in pages)), *pages])
    found = {(row["url"], row["rule"]) for row in tables.rows if row["subject"] == "page"}
    assert found == {(page.url, RULE) for page in pages}


@pytest.mark.parametrize("body", [REREDIRECTS, ZOLA])
def test_a_script_that_redirects_is_a_warning_and_no_proof(body: str) -> None:
    page = page_of(body, role=Role.LISTED)
    (finding,) = found(RULE, page)
    assert (finding.severity, finding.message) == (
        "warning",
        f"redirects to {B} after 0 s with a script, and a meta refresh in noscript",
    )
    assert (page.redirect_kind, page.verdict) == (None, "indexable")
    assert PageChoice("auto").reason(page) is not None


@pytest.mark.parametrize(
    "scripts",
    [
        "",
        "<script>window.location.replace('/c')</script>",
        "<script>show('/b', document.location.hash)</script>",
        f"<script>location.replace('/b');{'x' * 5_000}</script>",
    ],
)
def test_a_refresh_in_noscript_alone_is_not_a_redirect(scripts: str) -> None:
    page = page_of(f"{scripts}<noscript>{refresh('0; url=/b')}</noscript><p>x")
    assert (page.refreshes, found(RULE, page)) == ([], [])
