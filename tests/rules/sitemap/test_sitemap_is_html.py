"""sitemap-is-html: the body is an HTML document."""

import pytest

from tests.rules.sitemap.files import (
    DECLARATION,
    compressed,
    row_of,
    rules_on,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

PAGE = "<!doctype html><title>Sign in</title>"
XHTML = f'{DECLARATION}<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>'


@pytest.mark.parametrize(
    "body",
    [
        PAGE,
        PAGE.upper(),
        f"\n\n{PAGE}",
        f"\ufeff{PAGE}",
        f"<!-- 12 ms -->\n{PAGE}",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"\n "xhtml1-strict.dtd"><html/>',
        "<html><body>Sign in</body></html>",
        "<head><title>Sign in</title></head>",
        '<html lang="en"><script>window.app = 1 && 2</script>',
        XHTML,
        XHTML.replace(' xmlns="http://www.w3.org/1999/xhtml"', ""),
        compressed(PAGE),
    ],
)
def test_html_documents(body: str | bytes) -> None:
    assert severities("sitemap-is-html", row_of(body)) == ["error"]


def test_no_other_rule_reports_it() -> None:
    assert rules_on(row_of(PAGE)) == ["sitemap-is-html"]


@pytest.mark.parametrize(
    "body",
    [
        urlset(url()),
        urlset(url("https://www.example.com/index.html")),
        urlset(url(more="<x:html xmlns:x='http://www.w3.org/1999/xhtml'/>")),
        "<!-- <html> -->" + urlset(url()).removeprefix(DECLARATION),
        "https://www.example.com/<html>\n",
        "<htmlmap/>",
        '{"html": "<html>"}',
        "",
    ],
)
def test_files_that_are_not_html(body: str) -> None:
    assert severities("sitemap-is-html", row_of(body)) == []


def test_message() -> None:
    (finding,) = found("sitemap-is-html", row_of(PAGE))
    assert finding.message == "is an HTML page"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
