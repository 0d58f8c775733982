"""canonical-elsewhere: the one usable canonical at the final URL is another URL."""

import json

import pytest

from sitemapaudit.items import Page, Role
from tests.pages.responses import SITE, URL, canonical, head, page_of, redirect
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import SITEMAP, listed

RULE = "canonical-elsewhere"
B, C = f"{SITE}/b", f"{SITE}/c"
HREFS = {
    "https://www.example.com/{n}/a": [],
    "/{n}/a": [],
    "a": [],
    "//www.example.com/{n}/a": [],
    "HTTPS://WWW.EXAMPLE.COM/{n}/a": [],
    "https://www.example.com:443/{n}/a": [],
    "https://www.example.com/{n}/%61": [],
    "https://www.example.com/{n}/b/../a": [],
    "https://www.example.com/{n}/a#part": [],
    "  https://www.example.com/{n}/a\n": [],
    "https://www.example.com/{n}/b": ["error"],
    "https://www.example.com/{n}/A": ["error"],
    "https://www.example.com/{n}/a/": ["error"],
    "https://www.example.com/{n}/a?": ["error"],
    "https://www.example.com/{n}/a?x=1": ["error"],
    "https://www.example.com/{n}/a/index.html": ["error"],
    "http://www.example.com/{n}/a": ["error"],
    "https://example.com/{n}/a": ["error"],
    "https://www.example.com:8443/{n}/a": ["error"],
    "b": ["error"],
}
USABLE: list[tuple[list[str], list[str], list[str]]] = [
    ([], [], []),
    ([canonical("/b")], [], ["error"]),
    ([], ["Link: </b>; rel=canonical"], ["error"]),
    ([canonical("/b")], ["Link: </b>; rel=canonical"], ["error"]),
    ([canonical("/b"), canonical("/b")], [], ["error"]),
    ([canonical("/b"), canonical("/c")], [], []),
    ([canonical("/a"), canonical("/b")], [], []),
    ([canonical("/a")], ["Link: </b>; rel=canonical"], []),
    ([canonical(""), canonical("/b")], [], ["error"]),
    (['<link rel=canonical href=/b media="print">'], [], []),
    ([canonical("mailto:a@example.com")], [], []),
    (["<div></div>", canonical("/b")], [], []),
    (["<base href=/x/>", canonical("a")], [], ["error"]),
    (["<base href=/x/>", canonical("../a")], [], []),
]


def severities_on_first(*pages: Page) -> list[str]:
    """Return the severities on the first of these pages, the only listed one."""
    tables = tables_of([listed(pages[0].url), *pages], RULE)
    return [severity for _, severity, _ in rule_on(tables, RULE)]


@pytest.fixture(scope="module")
def tables() -> Tables:
    pages = [
        page_of(head(canonical(href.format(n=number))), at=f"{SITE}/{number}/a")
        for number, href in enumerate(HREFS)
    ]
    pages += [
        page_of(head(*elements), *lines, at=f"https://{number}.example/a")
        for number, (elements, lines, _) in enumerate(USABLE)
    ]
    locs = [page.url for page in pages]
    return tables_of([listed(*locs), *pages], RULE)


def severities_at(tables: Tables, place: str) -> list[str]:
    return [severity for url, severity, _ in rule_on(tables, RULE) if url == place]


@pytest.mark.parametrize(("number", "href"), list(enumerate(HREFS)))
def test_href(tables: Tables, number: int, href: str) -> None:
    assert severities_at(tables, f"{SITE}/{number}/a") == HREFS[href]


@pytest.mark.parametrize("number", range(len(USABLE)))
def test_exactly_one_usable_canonical_is_reported(tables: Tables, number: int) -> None:
    assert severities_at(tables, f"https://{number}.example/a") == USABLE[number][2]


def test_another_order_of_query_parameters_is_another_url() -> None:
    page = page_of(head(canonical("?b=2&amp;a=1")), at=f"{URL}?a=1&b=2")
    assert severities_on_first(page) == ["error"]


def test_encodings_of_one_url_are_the_same() -> None:
    page = page_of(head(canonical("https://bücher.example/straße?q=%c3%9f")), at=(
        "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%9F"
    ))  # fmt: skip
    assert severities_on_first(page) == []


@pytest.mark.parametrize(
    ("elements", "lines", "source"),
    [
        ([canonical("/b")], [], "a tag"),
        ([], ["Link: </b>; rel=canonical"], "a Link header"),
        ([canonical("/b")], ["Link: </b>; rel=canonical"], "a tag and a Link header"),
    ],
)
def test_message_and_evidence(elements: list[str], lines: list[str], source: str) -> None:
    tables = tables_of([listed(URL), page_of(head(*elements), *lines)], RULE)
    assert rule_on(tables, RULE) == [(URL, "error", f"is canonicalized to {B} by {source}")]
    (finding,) = tables.findings[tables.findings["rule"] == RULE].itertuples()
    assert (finding.subject, finding.sitemap) == ("page", SITEMAP)
    evidence = json.loads(str(finding.evidence))
    assert (evidence["canonical"], evidence["source"]) == (B, source)


def test_a_header_on_a_file_that_is_not_html_is_reported() -> None:
    page = page_of("%PDF-1.7", "Link: </b>; rel=canonical", media="application/pdf")
    assert severities_on_first(page) == ["error"]


def test_a_canonical_of_the_redirect_itself_does_not_count() -> None:
    first = redirect(URL, "/c", 302, "Link: </b>; rel=canonical")
    assert severities_on_first(first) == []
    assert severities_on_first(first, page_of(head(canonical("/c")), at=C)) == []


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/b", []),
        ("/c", [C]),
        ("/a", [URL]),
        ("https://other.example/", ["https://other.example/"]),
    ],
)
def test_the_final_url_is_compared(href: str, expected: list[str]) -> None:
    final = page_of(head(canonical(href)), at=B, role=Role.REDIRECT)
    tables = tables_of([listed(URL), redirect(URL, "/b"), final], RULE)
    message = f"redirects to {B}, which is canonicalized to {{}} by a tag"
    assert rule_on(tables, RULE) == [(URL, "error", message.format(url)) for url in expected]


def test_each_listed_url_is_reported_once() -> None:
    pages = [redirect(URL, "/b"), redirect(f"{SITE}/z", "/a"), page_of(head(canonical("/c")), at=B)]
    tables = tables_of([listed(URL, B, f"{SITE}/z", URL), *pages], RULE)
    assert [finding[:2] for finding in rule_on(tables, RULE)] == [
        (URL, "error"),
        (B, "error"),
        (f"{SITE}/z", "error"),
    ]


@pytest.mark.parametrize("target", ["/b", "/a"])
def test_nothing_is_reported_if_the_final_page_is_unknown(target: str) -> None:
    assert severities_on_first(redirect(URL, target)) == []
