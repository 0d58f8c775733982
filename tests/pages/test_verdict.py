"""The verdict on a URL's own answer: the first that holds, and what it says of being indexable."""

from typing import Any

import pytest

from sitemapaudit.items import Error, Page, Verdict
from sitemapaudit.pages.verdict import judge
from tests.pages.answers import SITE, URL, canonical, head, page_of, redirect

B = f"{SITE}/b"
UNREACHABLE = set(Error) - {Error.LIMIT, Error.INTERNAL}


def page(**values: Any) -> Page:
    return Page(URL, **values)


@pytest.mark.parametrize(
    ("verdict", "indexable"),
    [
        ("unchecked", None),
        ("blocked", None),
        ("unreachable", None),
        ("denied", None),
        ("server-error", False),
        ("not-found", False),
        ("client-error", False),
        ("redirected", False),
        ("noindex", False),
        ("canonicalized", False),
        ("soft-404", False),
        ("indexable", True),
    ],
)
def test_indexable_has_three_values(verdict: str, *, indexable: bool | None) -> None:
    assert Verdict(verdict).indexable is indexable


def test_the_order_is_that_of_the_list() -> None:
    assert [verdict.value for verdict in Verdict] == [
        "unchecked",
        "blocked",
        "unreachable",
        "denied",
        "server-error",
        "not-found",
        "client-error",
        "redirected",
        "noindex",
        "canonicalized",
        "soft-404",
        "indexable",
    ]


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (100, "soft-404"),
        (199, "soft-404"),
        (200, "indexable"),
        (201, "indexable"),
        (202, "indexable"),
        (203, "indexable"),
        (204, "soft-404"),
        (205, "indexable"),
        (206, "indexable"),
        (299, "indexable"),
        (300, "soft-404"),
        (301, "redirected"),
        (302, "redirected"),
        (303, "redirected"),
        (304, "soft-404"),
        (305, "soft-404"),
        (306, "soft-404"),
        (307, "redirected"),
        (308, "redirected"),
        (309, "soft-404"),
        (399, "soft-404"),
        (400, "client-error"),
        (401, "denied"),
        (402, "client-error"),
        (403, "denied"),
        (404, "not-found"),
        (405, "client-error"),
        (406, "client-error"),
        (407, "denied"),
        (408, "client-error"),
        (409, "client-error"),
        (410, "not-found"),
        (411, "client-error"),
        (428, "client-error"),
        (429, "denied"),
        (430, "client-error"),
        (451, "client-error"),
        (499, "client-error"),
        (500, "server-error"),
        (503, "server-error"),
        (599, "server-error"),
        (999, "server-error"),
    ],
)
def test_status(status: int, verdict: str) -> None:
    assert page_of(head(), status=status).verdict == verdict


@pytest.mark.parametrize("error", sorted(UNREACHABLE))
def test_no_usable_answer(error: Error) -> None:
    assert page_of(status=None, error=error).verdict == "unreachable"


@pytest.mark.parametrize("error", [Error.LIMIT, Error.INTERNAL])
def test_not_asked_for_or_our_own_fault(error: Error) -> None:
    assert page_of(status=None, error=error).verdict == "unchecked"


def test_before_there_is_an_answer() -> None:
    assert judge(page()) == "unchecked"
    assert page().verdict == "unchecked"


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({"error": Error.LIMIT, "allowed": False}, "unchecked"),
        ({"allowed": False, "error": Error.DNS}, "blocked"),
        ({"allowed": False}, "blocked"),
        ({"allowed": False, "status": 200}, "blocked"),
        ({"allowed": None, "error": Error.DNS}, "unreachable"),
        ({"error": Error.TRUNCATED, "status": 403}, "unreachable"),
        ({"error": Error.ENCODING, "status": 200, "noindex": True}, "unreachable"),
        ({"status": 503, "challenge": "cf-mitigated: challenge"}, "denied"),
        ({"status": 404, "challenge": "cf-mitigated: challenge"}, "denied"),
        ({"status": 405, "challenge": "x-amzn-waf-action: captcha"}, "denied"),
        ({"status": 302, "challenge": "cf-mitigated: challenge"}, "denied"),
        ({"status": 200, "challenge": "cf-mitigated: challenge", "noindex": True}, "denied"),
        ({"status": 403, "noindex": True}, "denied"),
        ({"status": 500, "noindex": True}, "server-error"),
        ({"status": 404, "noindex": True}, "not-found"),
        ({"status": 400, "noindex": True}, "client-error"),
        ({"status": 301, "noindex": True, "canonical": B}, "redirected"),
        ({"status": 200, "noindex": True, "canonical": B}, "noindex"),
        ({"status": 200, "noindex": True, "bytes": 0}, "noindex"),
        ({"status": 200, "noindex": False, "canonical": B, "bytes": 0}, "canonicalized"),
        ({"status": 204, "noindex": False, "canonical": B}, "canonicalized"),
        ({"status": 200, "noindex": False, "canonical": URL, "bytes": 0}, "soft-404"),
        ({"status": 200, "noindex": False, "bytes": 0}, "soft-404"),
        ({"status": 204, "noindex": False, "bytes": 0}, "soft-404"),
        ({"status": 204, "noindex": False, "bytes": 1}, "soft-404"),
        ({"status": 205, "noindex": False, "bytes": 0}, "soft-404"),
        ({"status": 205, "noindex": False, "bytes": 1}, "indexable"),
        ({"status": 206, "noindex": False, "bytes": 0}, "soft-404"),
        ({"status": 200, "noindex": False, "canonical": URL, "bytes": 1}, "indexable"),
        ({"status": 200, "noindex": False, "bytes": None}, "indexable"),
    ],
)
def test_the_first_that_holds(values: dict[str, Any], verdict: str) -> None:
    assert judge(page(**values)) == verdict


@pytest.mark.parametrize(
    ("body", "lines", "verdict"),
    [
        (head(), [], "indexable"),
        (head(canonical(URL)), [], "indexable"),
        (head(canonical("/a#part")), [], "indexable"),
        (head(canonical("/b")), [], "canonicalized"),
        (head(canonical("/b"), canonical("/c")), [], "indexable"),
        (head(canonical("/b")), ["Link: </c>; rel=canonical"], "indexable"),
        (head(), ["Link: </b>; rel=canonical"], "canonicalized"),
        (f"<body>Text {canonical('/b')}", [], "indexable"),
        (head("<meta name=robots content=noindex>"), [], "noindex"),
        (head("<meta name=robots content=none>", canonical("/b")), [], "noindex"),
        (head("<meta name=googlebot content=noindex>"), [], "noindex"),
        (head("<meta name=otherbot content=noindex>"), [], "indexable"),
        (head("<meta name=robots content=nofollow>"), [], "indexable"),
        (head(), ["X-Robots-Tag: unavailable_after: 2026-11-20"], "noindex"),
        (head(), ["X-Robots-Tag: unavailable_after: 2026-11-22"], "indexable"),
        ("", [], "soft-404"),
        ("", ["X-Robots-Tag: noindex"], "noindex"),
        (" ", [], "soft-404"),
        ("<title>Empty</title><main></main>", [], "soft-404"),
        ("<title>Filled later</title><main></main><script src=app.js></script>", [], "indexable"),
        ("<title>Page not found</title><main>Sorry.</main>", [], "soft-404"),
        ("<title>Page not found</title><main>Sorry.</main><script></script>", [], "soft-404"),
    ],
)
def test_what_pages_say(body: str, lines: list[str], verdict: str) -> None:
    assert page_of(body, *lines).verdict == verdict


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (["Content-Length: 10"], "indexable"),
        (["Content-Length: 0"], "soft-404"),
        ([], "indexable"),
        (["X-Robots-Tag: noindex"], "noindex"),
        (["Link: </b>; rel=canonical"], "canonicalized"),
    ],
)
def test_documents_that_were_not_downloaded(lines: list[str], verdict: str) -> None:
    page = page_of("", *lines, media="application/pdf", skipped=True)
    assert page.verdict == verdict


def test_a_redirect_that_leads_nowhere_is_one() -> None:
    assert page_of(status=301).verdict == "redirected"
    assert redirect(URL, URL).verdict == "redirected"
