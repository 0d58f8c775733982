"""The verdict of a URL's own response: the first that holds, and whether it is indexable."""

from typing import Any

import pytest

from sitemapaudit.items import Error, Page, Verdict
from sitemapaudit.items.rendering import Navigation
from sitemapaudit.verdicts import decide_rendered_verdict, decide_verdict
from tests.pages.responses import SITE, URL, canonical, head, page_of, redirect, withheld
from tests.support.rows import rendered

B = f"{SITE}/b"
OURS = {
    *(Error.LIMIT, Error.INTERNAL, Error.IGNORED),
    *(Error.ADDRESS_REFUSED, Error.NOT_IN_BUILD, Error.NOT_ON_STAGING),
}


def make_page(**values: Any) -> Page:
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
        ("unsupported-type", False),
        ("noindex", False),
        ("canonicalized", False),
        ("soft-404", False),
        ("indexable", True),
    ],
)
def test_indexable_has_three_values(verdict: str, *, indexable: bool | None) -> None:
    assert Verdict(verdict).indexable is indexable


def test_the_order_of_verdicts() -> None:
    assert [verdict.value for verdict in Verdict] == [
        "unchecked",
        "blocked",
        "unreachable",
        "denied",
        "server-error",
        "not-found",
        "client-error",
        "redirected",
        "unsupported-type",
        "noindex",
        "canonicalized",
        "soft-404",
        "indexable",
    ]


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        (0, "unreachable"),
        (100, "unreachable"),
        (101, "unreachable"),
        (199, "unreachable"),
        (200, "indexable"),
        (201, "indexable"),
        (202, "indexable"),
        (203, "indexable"),
        (204, "unsupported-type"),
        (205, "indexable"),
        (206, "indexable"),
        (299, "indexable"),
        (300, "soft-404"),
        (301, "redirected"),
        (302, "redirected"),
        (303, "redirected"),
        (304, "unreachable"),
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
        (600, "unreachable"),
        (999, "unreachable"),
    ],
)
def test_verdicts_by_status(status: int, verdict: str) -> None:
    assert page_of(head(), status=status).verdict == verdict


@pytest.mark.parametrize("error", sorted(set(Error) - OURS))
def test_an_error_is_unreachable(error: Error) -> None:
    assert page_of(status=None, error=error).verdict == "unreachable"


@pytest.mark.parametrize("error", sorted(OURS))
def test_a_skipped_url_or_an_internal_error_is_unchecked(error: Error) -> None:
    assert page_of(status=None, error=error).verdict == "unchecked"


def test_a_page_without_a_response_is_unchecked() -> None:
    assert decide_verdict(make_page()) == "unchecked"
    assert make_page().verdict == "unchecked"


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
        ({"status": 200, "noindex": False, "bytes": 0, "truncated": True}, "unchecked"),
        ({"status": 200, "noindex": True, "bytes": 0, "truncated": True}, "noindex"),
        ({"status": 404, "bytes": 0, "truncated": True}, "not-found"),
        ({"status": 204, "noindex": False, "bytes": 0}, "unsupported-type"),
        ({"status": 204, "noindex": False, "bytes": 1}, "unsupported-type"),
        ({"status": 205, "noindex": False, "bytes": 0}, "soft-404"),
        ({"status": 205, "noindex": False, "bytes": 1}, "indexable"),
        ({"status": 206, "noindex": False, "bytes": 0}, "soft-404"),
        ({"status": 200, "noindex": False, "canonical": URL, "bytes": 1}, "indexable"),
        ({"status": 200, "noindex": False, "bytes": None}, "indexable"),
    ],
)
def test_the_first_verdict_that_holds_wins(values: dict[str, Any], verdict: str) -> None:
    assert decide_verdict(make_page(**values)) == verdict


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
def test_verdicts_by_content(body: str, lines: list[str], verdict: str) -> None:
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
def test_verdicts_of_skipped_bodies(lines: list[str], verdict: str) -> None:
    page = page_of("", *lines, media="application/pdf", skipped=True)
    assert page.verdict == verdict


PDF, ZIP, UNKNOWN = "application/pdf", "application/zip", "application/octet-stream"


@pytest.mark.parametrize(
    ("media", "at", "body", "lines", "verdict"),
    [
        (ZIP, "/a", "PK", [], "unsupported-type"),
        (ZIP, "/a.pdf", "PK", [], "unsupported-type"),
        (ZIP, "/a", "PK", ["X-Robots-Tag: noindex"], "unsupported-type"),
        (ZIP, "/a", "PK", ["Refresh: 0; url=/b"], "redirected"),
        (ZIP, "/a", "", [], "soft-404"),
        ("application/json", "/a", "{}", [], "unsupported-type"),
        ("audio/mpeg", "/a", "x", [], "unsupported-type"),
        ("image/tiff", "/a", "x", [], "unsupported-type"),
        ("font/woff2", "/a", "x", [], "unsupported-type"),
        (PDF, "/a", "%PDF", [], "indexable"),
        (PDF, "/a.zip", "%PDF", [], "indexable"),
        (PDF, "/a", "%PDF", ["X-Robots-Tag: noindex"], "noindex"),
        ("application/vnd.google-earth.kml+xml", "/a", "x", [], "indexable"),
        ("application/vnd.ms-excel.sheet.macroenabled.12", "/a", "x", [], "indexable"),
        ("application/rss+xml", "/a", "x", [], "indexable"),
        ("text/x-python", "/a", "x", [], "indexable"),
        ("text/csv; charset=utf-8", "/a", "x", [], "indexable"),
        ("IMAGE/PNG", "/a", "x", [], "indexable"),
        ("video/mp4", "/a", "x", [], "indexable"),
        (UNKNOWN, "/a", head(), [], "indexable"),
        (UNKNOWN, "/a.zip", head(), [], "indexable"),
        (UNKNOWN, "/a.zip", "PK", [], "unsupported-type"),
        (UNKNOWN, "/a.EXE?b=c.pdf", "MZ", [], "unsupported-type"),
        (UNKNOWN, "/a.pdf", "%PDF", [], "indexable"),
        (UNKNOWN, "/a?b=c.zip", "x", [], "indexable"),
        ("binary/octet-stream", "/a.mp3", "x", [], "unsupported-type"),
        ("nonsense", "/a", "x", [], "indexable"),
        (None, "/a.zip", "PK", [], "indexable"),
        (None, "/a", head(), [], "indexable"),
    ],
)
def test_verdicts_by_media_type(
    media: str | None, at: str, body: str, lines: list[str], verdict: str
) -> None:
    assert page_of(body, *lines, media=media, at=SITE + at).verdict == verdict


def refresh(value: str) -> str:
    return f'<meta http-equiv="refresh" content="{value}">'


@pytest.mark.parametrize(
    ("elements", "lines", "target"),
    [
        ([refresh("0; url=/b")], [], B),
        ([refresh("0.9; url=/b")], [], B),
        ([], ["Refresh: 0; url=/b"], B),
        ([refresh("0; url=/b"), "<meta name=robots content=noindex>"], [], B),
        ([refresh("0; url=/b"), canonical("/c")], [], B),
        ([refresh("5; url=/c"), refresh("0; url=/b")], [], B),
        ([refresh("1; url=/b")], [], None),
        ([refresh("0; url=/a#part")], [], None),
        ([refresh("0")], [], None),
        ([f"<noscript>{refresh('0; url=/b')}</noscript>"], [], None),
    ],
)
def test_a_refresh_without_a_delay_is_a_redirect(
    elements: list[str], lines: list[str], target: str | None
) -> None:
    page = page_of(head(*elements), *lines)
    assert page.verdict == ("redirected" if target else "indexable")
    assert (page.redirect_kind, page.target) == ("refresh" if target else None, target)


@pytest.mark.parametrize("how", ["404", "500", "403", "challenge with 200"])
def test_a_refresh_of_another_status_is_no_redirect(how: str) -> None:
    page = withheld(how, head(refresh("0; url=/b")))
    assert (page.redirect_kind, page.target) == (None, None)
    assert page.verdict != "redirected"


def test_a_redirect_without_a_target_is_a_redirect() -> None:
    assert page_of(status=301).verdict == "redirected"
    assert redirect(URL, URL).verdict == "redirected"


@pytest.mark.parametrize(
    ("navigations", "final_url", "verdict"),
    [
        ([], URL, "noindex"),
        ([], B, "noindex"),
        ([Navigation("history", B)], B, "noindex"),
        ([Navigation("history", f"{URL}?b"), Navigation("document", B)], B, "redirected"),
        ([Navigation("document", B), Navigation("document", URL)], URL, "noindex"),
    ],
)
def test_a_script_that_opens_another_document_redirects(
    navigations: list[Navigation], final_url: str, verdict: str
) -> None:
    page = make_page(status=200, noindex=True)
    rendering = rendered(page, navigations=navigations, final_url=final_url)
    assert decide_rendered_verdict(rendering, page) == verdict
