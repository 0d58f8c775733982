"""canonical-elsewhere: the one usable canonical at the final address is not that address."""

import json
from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Page, Role
from tests.pages.answers import SITE, URL, WITHHELD, canonical, head, page_of, redirect, withheld
from tests.support import SITEMAP, build_run, listed, rule_on

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


def judged(tmp_path: Path, *pages: Page) -> list[str]:
    """Return the severities on the first of these pages, which alone is listed."""
    run = build_run(tmp_path, [listed(pages[0].url), *pages])
    return [severity for _, severity, _ in rule_on(run, RULE)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    pages = [
        page_of(head(canonical(href.format(n=number))), at=f"{SITE}/{number}/a")
        for number, href in enumerate(HREFS)
    ]
    pages += [
        page_of(head(*elements), *lines, at=f"https://{number}.example/a")
        for number, (elements, lines, _) in enumerate(USABLE)
    ]
    pages += [
        withheld(how, head(canonical("/b")), "Link: </b>; rel=canonical", at=f"{SITE}/{number}")
        for number, how in enumerate(WITHHELD)
    ]
    locs = [page.url for page in pages]
    return build_run(tmp_path_factory.mktemp("run"), [listed(*locs), *pages])


def found_at(run: Run, place: str) -> list[str]:
    return [severity for url, severity, _ in rule_on(run, RULE) if url == place]


@pytest.mark.parametrize(("number", "href"), list(enumerate(HREFS)))
def test_href(run: Run, number: int, href: str) -> None:
    assert found_at(run, f"{SITE}/{number}/a") == HREFS[href]


@pytest.mark.parametrize("number", range(len(USABLE)))
def test_just_one_usable(run: Run, number: int) -> None:
    assert found_at(run, f"https://{number}.example/a") == USABLE[number][2]


@pytest.mark.parametrize("number", range(len(WITHHELD)), ids=WITHHELD)
def test_silent_where_the_page_is_not_known(run: Run, number: int) -> None:
    assert found_at(run, f"{SITE}/{number}") == []


def test_another_order_of_the_query_is_another_url(tmp_path: Path) -> None:
    page = page_of(head(canonical("?b=2&amp;a=1")), at=f"{URL}?a=1&b=2")
    assert judged(tmp_path, page) == ["error"]


def test_spellings_of_one_url_with_other_letters(tmp_path: Path) -> None:
    page = page_of(head(canonical("https://bücher.example/straße?q=%c3%9f")), at=(
        "https://xn--bcher-kva.example/stra%C3%9Fe?q=%C3%9F"
    ))  # fmt: skip
    assert judged(tmp_path, page) == []


@pytest.mark.parametrize(
    ("elements", "lines", "source"),
    [
        ([canonical("/b")], [], "tag"),
        ([], ["Link: </b>; rel=canonical"], "header"),
        ([canonical("/b")], ["Link: </b>; rel=canonical"], "both"),
    ],
)
def test_message_and_evidence(
    tmp_path: Path, elements: list[str], lines: list[str], source: str
) -> None:
    run = build_run(tmp_path, [listed(URL), page_of(head(*elements), *lines)])
    assert rule_on(run, RULE) == [(URL, "error", f"names {B} as its canonical, by {source}")]
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (finding.subject, finding.sitemap) == ("page", SITEMAP)
    evidence = json.loads(str(finding.evidence))
    assert (evidence["canonical"], evidence["source"]) == (B, source)


def test_what_is_no_html_has_its_canonical_in_the_header(tmp_path: Path) -> None:
    page = page_of("%PDF-1.7", "Link: </b>; rel=canonical", media="application/pdf")
    assert judged(tmp_path, page) == ["error"]


def test_what_a_redirect_itself_names_does_not_count(tmp_path: Path) -> None:
    first = redirect(URL, "/c", 302, "Link: </b>; rel=canonical")
    assert judged(tmp_path, first) == []
    (tmp_path / "asked").mkdir()
    assert judged(tmp_path / "asked", first, page_of(head(canonical("/c")), at=C)) == []


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/b", []),
        ("/c", [C]),
        ("/a", [URL]),
        ("https://other.example/", ["https://other.example/"]),
    ],
)
def test_the_final_address_is_what_counts(tmp_path: Path, href: str, expected: list[str]) -> None:
    final = page_of(head(canonical(href)), at=B, role=Role.REDIRECT)
    run = build_run(tmp_path, [listed(URL), redirect(URL, "/b"), final])
    message = f"redirects to {B}, which names {{}} as its canonical, by tag"
    assert rule_on(run, RULE) == [(URL, "error", message.format(url)) for url in expected]


def test_each_listed_url_has_its_finding_once(tmp_path: Path) -> None:
    pages = [redirect(URL, "/b"), redirect(f"{SITE}/z", "/a"), page_of(head(canonical("/c")), at=B)]
    run = build_run(tmp_path, [listed(URL, B, f"{SITE}/z", URL), *pages])
    assert [finding[:2] for finding in rule_on(run, RULE)] == [
        (URL, "error"),
        (B, "error"),
        (f"{SITE}/z", "error"),
    ]


@pytest.mark.parametrize("lead", ["/b", "/a"])
def test_silent_where_the_final_page_is_not_known(tmp_path: Path, lead: str) -> None:
    assert judged(tmp_path, redirect(URL, lead)) == []


def test_only_listed_urls_are_judged(tmp_path: Path) -> None:
    other = page_of(head(canonical("/c")), at=B, role=Role.CANONICAL)
    assert judged(tmp_path, page_of(head(canonical("/a"))), other) == []
