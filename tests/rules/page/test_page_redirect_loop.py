"""page-redirect-loop: a normalized URL occurs twice in the redirect chain."""

from sitemapaudit.items import Error
from tests.pages.responses import SITE, URL, blocked, failed, page_of, redirect
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import Finding, check, messages, moved, sentences
from tests.support.rows import listed

RULE = "page-redirect-loop"
B, C = f"{SITE}/b", f"{SITE}/c"
COOKIE = " (a redirect sets a cookie, and crawlers keep none)"


def test_a_loop_is_reported() -> None:
    cases = [
        ([redirect(URL, URL)], [URL, URL]),
        ([redirect(URL, "https://WWW.example.com:443/%61#x", 302)], [URL, URL]),
        ([redirect(URL, B), redirect(B, URL)], [URL, B, URL]),
        ([redirect(URL, B), redirect(B, C), redirect(C, URL)], [URL, B, C, URL]),
        ([redirect(URL, B), redirect(B, C), redirect(C, B)], [URL, B, C, B]),
        ([redirect(URL, B), redirect(B, B)], [URL, B, B]),
    ]
    message = "redirects in a loop: "
    expected = [(pages, [(URL, "error", message + " → ".join(chain))]) for pages, chain in cases]
    check(RULE, expected, lambda pages: [listed(URL), *pages], sentences)
    every = [moved(case, page) for case, (pages, _) in enumerate(cases) for page in pages]
    tables = tables_of([listed(*(page.url for page in every)), *every])
    assert {row["rule"] for row in tables.rows if row["subject"] == "page"} == {RULE}


def test_other_responses_are_not_a_loop() -> None:
    cases = [
        [page_of()],
        [redirect(URL, B)],
        [redirect(URL, B), page_of(at=B)],
        [redirect(URL, f"{URL}/"), redirect(f"{URL}/", f"{URL}/?"), page_of(at=f"{URL}/?")],
        [redirect(URL, B), redirect(B, C), failed(Error.TIMEOUT, at=C)],
        [redirect(URL, B), redirect(B, C), blocked(C)],
        [page_of("", f"Location: {URL}", status=304)],
        [page_of("", f"Location: {URL}", status=201)],
        [page_of(status=301)],
    ]
    check(RULE, [(pages, 0) for pages in cases], lambda pages: [listed(URL), *pages], len)


def notes(found: list[Finding]) -> list[str]:
    """Return what follows the last URL of each message."""
    return [message.rpartition(URL)[2] for message in messages(found)]


def test_message_says_that_a_cookie_is_set() -> None:
    cases = [
        ([redirect(URL, URL, 302, "Set-Cookie: a=b")], COOKIE),
        ([redirect(URL, URL, 302)], ""),
        ([redirect(URL, B, 302, "Set-Cookie: a=b"), redirect(B, URL)], COOKIE),
        ([redirect(URL, B), redirect(B, URL, 302, "Set-Cookie: a=b")], COOKIE),
    ]
    expected = [(pages, [note]) for pages, note in cases]
    check(RULE, expected, lambda pages: [listed(URL), *pages], notes)


def test_ten_hops_before_a_loop_are_not_a_chain() -> None:
    pages = [redirect(f"{SITE}/{hop}", f"/{hop + 1}") for hop in range(11)]
    tables = tables_of([listed(f"{SITE}/0"), *pages, redirect(f"{SITE}/11", "/10")], RULE)
    assert [finding[:2] for finding in rule_on(tables, RULE)] == [(f"{SITE}/0", "error")]
    assert rule_on(tables, "page-redirect-chain") == []


def test_every_listed_url_of_the_loop_is_reported() -> None:
    tables = tables_of([listed(URL, B), redirect(URL, B), redirect(B, URL)], RULE)
    assert [url for url, _, _ in rule_on(tables, RULE)] == [URL, B]
    assert list(tables.urls["verdict"]) == ["redirected", "redirected"]
