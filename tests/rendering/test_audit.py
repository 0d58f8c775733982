"""A real browser opens pages from the bytes that were fetched, and the tables tell both truths."""

from typing import Any

import pytest

from sitemapaudit.demo.server import Reply
from tests.rendering.site import HTML, PROSE, ScriptedSite, scripted
from tests.support import Audited, crawl

SHELL = "<div id=app></div>"
SHADOW = f"<h2>S</h2><p>{PROSE}</p>"
ELSEWHERE = "<link rel=canonical href=/elsewhere>"
PAGES = {
    "/still": f"<title>Still</title><h1>H</h1><p>{PROSE}</p>",
    "/noindex": scripted(
        "const m = document.createElement('meta'); m.name = 'robots'; m.content = 'noindex';"
        "document.head.append(m)"
    ),
    "/healed": scripted(
        "document.querySelector('meta[name=robots]').remove()", "<meta name=robots content=noindex>"
    ),
    "/canonical": scripted(
        "document.querySelector('link').href = '/still'", "<link rel=canonical href=/canonical>"
    ),
    "/recanonical": scripted("document.querySelector('link').remove()", ELSEWHERE),
    "/app": scripted(
        "fetch('/data').then(r => r.text()).then(t => { document.title = 'App';"
        "document.querySelector('h1').textContent = 'Shown';"
        "document.documentElement.lang = 'de';"
        "app.innerHTML = '<p>' + t + '</p>' + [1,2,3,4,5].map(n => `<a href=/${n}>n</a>`).join('')"
        "+ '<a href=https://other.example/>o</a>' })",
        body=SHELL,
    ),
    "/shadow": scripted(
        f"document.querySelector('x-y').attachShadow({{mode: 'open'}}).innerHTML = '{SHADOW}'",
        body="<x-y></x-y>",
    ),
    "/moved": scripted("location = '/still'"),
    "/moved-late": scripted("setTimeout(() => { location = '/still' }, 400)"),
    "/moved-in-time": scripted("setTimeout(() => { location = '/still' }, 60000)"),
    "/history": scripted("history.replaceState(null, '', '/address')"),
    "/history-canonical": scripted(
        "history.replaceState(null, '', '/shown')",
        "<link rel=canonical href=/history-canonical>",
    ),
    "/fragment": scripted("location.hash = 'part'"),
    "/refresh": scripted("", "<meta http-equiv=refresh content='0;url=/still'>"),
    "/gone-on": scripted("location = '/missing'"),
    "/reload": scripted(
        "if (!localStorage.reloaded) { localStorage.reloaded = 1; location.reload() }"
    ),
    "/around": scripted("location.reload()"),
    "/blocked": scripted("", "<script src=/private/needed.js></script>"),
    "/unneeded": scripted("", body=f"<p>{PROSE}</p><img src=/private/i.png><img src=/i.png>"),
    "/errors": scripted(
        "console.error('said'); fetch('/missing'); throw new Error('thrown')",
        "<script src=/missing.js></script>",
    ),
    "/inward": scripted("fetch('http://10.0.0.1:81/').catch(() => { document.title = 'refused' })"),
    "/forbidden": scripted("location = '/private/page'"),
    "/crowd": scripted("for (let n = 0; n < 700; n++) fetch('/data?' + n).catch(() => 0)"),
    "/windows": scripted(
        "alert('a'); confirm('b'); prompt('c'); window.open('/window');"
        "onbeforeunload = () => 'stay'"
    ),
    "/download": scripted("location = '/file.zip'"),
    "/polling": scripted("setInterval(() => fetch('/data?' + Math.random()), 50)"),
    "/growing": scripted(
        "setInterval(() => { for (let n = 0; n < 100; n++) document.body.append('and more ') }, 5)"
    ),
    "/busy": scripted("while (true);"),
    "/busy-later": scripted("setTimeout(() => { while (true); }, 200)"),
    "/closing": scripted("window.close()"),
}
OTHERS = {
    "/data": Reply(PROSE, headers=[("Content-Type", "text/plain")]),
    "/file.zip": Reply(b"PK", headers=[("Content-Type", "application/zip")]),
    "/private/page": Reply("no", headers=[HTML]),
    "/window": Reply("<script>fetch('/from-the-window')</script>", headers=[HTML]),
}
FAILED = {
    "/around": "redirect-loop",
    "/busy": "timeout",
    "/busy-later": "timeout",
}
VERDICTS = dict.fromkeys(PAGES, "indexable") | {
    "/noindex": "noindex",
    "/healed": "noindex",
    "/canonical": "canonicalized",
    "/recanonical": "canonicalized",
    "/moved": "redirected",
    "/moved-late": "redirected",
    "/refresh": "redirected",
    "/gone-on": "redirected",
}
FINDINGS = [
    ("page-meta-refresh", "/refresh"),
    ("render-canonical-differs", "/canonical"),
    ("render-canonical-differs", "/recanonical"),
    ("render-content-differs", "/app"),
    ("render-content-differs", "/growing"),
    ("render-content-differs", "/inward"),
    ("render-content-differs", "/shadow"),
    ("render-failed", "/around"),
    ("render-failed", "/blocked"),
    ("render-failed", "/busy"),
    ("render-failed", "/busy-later"),
    ("render-failed", "/forbidden"),
    ("render-js-redirect", "/gone-on"),
    ("render-js-redirect", "/history"),
    ("render-js-redirect", "/history-canonical"),
    ("render-js-redirect", "/moved"),
    ("render-js-redirect", "/moved-late"),
    ("render-noindex-differs", "/healed"),
    ("render-noindex-differs", "/noindex"),
]
ASKED_AGAIN = {"/still": 4}
"""What scripts go on to is asked for by the browser."""


# Patient: the machine may have other things to do, and pages that hang hang for long enough.
SETTINGS = {"DOWNLOAD_TIMEOUT": "30", "AUDIT_TABS": "5"}


@pytest.fixture(scope="module")
def site_and_audit(tmp_path_factory: pytest.TempPathFactory) -> tuple[ScriptedSite, Audited]:
    with ScriptedSite(PAGES, OTHERS) as site:
        arguments = {"site": site.origin, "render": "always", "follow": "none"}
        audited = crawl(tmp_path_factory.mktemp("audits"), arguments, SETTINGS)
    return site, audited


def rows(site: ScriptedSite, audited: Audited) -> dict[str, Any]:
    """Return the row of each page by path."""
    pages = audited.run.pages.astype(object)
    pages = pages.where(pages.notna(), None)
    return {row["url"].removeprefix(site.origin): row for _, row in pages.iterrows()}


@pytest.mark.xdist_group("browser")
def test_every_page_ends_as_a_row(site_and_audit: tuple[ScriptedSite, Audited]) -> None:
    site, audited = site_and_audit
    assert audited.status == 0
    assert "Traceback" not in audited.log
    said = f"{len(PAGES)} listed URLs in 1 sitemap, {len(PAGES)} rendered (3 of them could not be)"
    assert said in audited.output
    pages = rows(site, audited)
    assert {path: pages[path].rendered_reason for path in PAGES} == dict.fromkeys(PAGES, "always")
    failed = {path: pages[path].rendered_error for path in PAGES if pages[path].rendered_error}
    assert failed == FAILED
    urls = audited.run.urls
    verdicts = {
        url.removeprefix(site.origin): verdict
        for url, verdict in zip(urls["url"], urls["verdict"], strict=True)
    }
    assert verdicts == VERDICTS
    told = [(rule, place.removeprefix(site.origin)) for rule, place in audited.findings()]
    about = [finding for finding in told if finding[0].startswith(("render-", "page-meta"))]
    assert about == FINDINGS


@pytest.mark.xdist_group("browser")
def test_the_site_is_asked_once(site_and_audit: tuple[ScriptedSite, Audited]) -> None:
    site, _ = site_and_audit
    assert {path: times for path in PAGES if (times := site.times(path)) > 1} == ASKED_AGAIN
    never = ("/private/needed.js", "/private/i.png", "/private/page", "/i.png")
    assert {path: site.times(path) for path in never} == dict.fromkeys(never, 0)
    assert site.times("/from-the-window") == 0
    assert site.times("/data") <= 1 + 500 + 200


@pytest.mark.xdist_group("browser")
def test_what_is_recorded(site_and_audit: tuple[ScriptedSite, Audited]) -> None:
    site, audited = site_and_audit
    pages = rows(site, audited)

    app = pages["/app"]
    shown = (app.rendered_title, app.rendered_h1, app.rendered_lang, app.rendered_words)
    assert shown == ("App", "Shown", "de", 162 + 5)
    assert (app.title, app.h1, app.lang, app.words) == ("T", "H", "en", 1)
    assert (app.rendered_links, app.rendered_links_added, app.rendered_links_removed) == (5, 5, 0)
    assert (app.rendered_status, app.rendered_settled, app.rendered_requests) == (200, True, 1)
    assert pages["/shadow"].rendered_words == 162

    late = pages["/moved-late"]
    assert late.rendered_final_url == f"{site.origin}/still"
    assert [dict(going) for going in late.rendered_navigations] == [
        {"by": "document", "url": f"{site.origin}/still"}
    ]
    assert pages["/history"].rendered_navigations[0]["by"] == "history"
    assert pages["/gone-on"].rendered_status == 404
    assert pages["/fragment"].rendered_final_url == f"{site.origin}/fragment"
    assert len(pages["/reload"].rendered_navigations) == 1
    assert len(pages["/around"].rendered_navigations) == 10

    errors = pages["/errors"]
    assert errors.rendered_console_errors == 2
    assert set(errors.rendered_console) == {"said", "thrown"}
    assert errors.rendered_failed_requests == 2
    assert any("missing.js (status 404)" in failed for failed in errors.rendered_failed)

    assert list(pages["/blocked"].rendered_blocked) == [f"{site.origin}/private/needed.js"]
    assert pages["/unneeded"].rendered_blocked_requests == 0
    assert pages["/inward"].rendered_title == "refused"
    assert pages["/forbidden"].rendered_blocked_requests == 1
    assert pages["/crowd"].rendered_requests == 700
    assert not pages["/polling"].rendered_settled
    assert pages["/growing"].rendered_words > 1000


@pytest.mark.xdist_group("browser")
def test_a_sample_is_spread_over_the_sitemaps_and_is_the_same_again(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    pages = {f"/{number}": scripted("") for number in range(12)}
    chosen = []
    with ScriptedSite(pages) as site:
        for _ in range(2):
            folder = tmp_path_factory.mktemp("audits")
            audited = crawl(folder, {"site": site.origin, "render": "3"})
            assert audited.status == 0
            rendered = audited.run.pages.dropna(subset=["rendered_reason"])
            assert set(rendered["rendered_reason"]) == {"sample"}
            chosen.append(sorted(rendered["url"]))
            assert audited.run.urls["verdict"].unique().tolist() == ["indexable"]
        fewer = crawl(
            tmp_path_factory.mktemp("audits"), {"site": site.origin, "render": "3", "pages": "5"}
        )
    assert len(chosen[0]) == 3
    assert chosen[0] == chosen[1]
    assert sorted(fewer.run.pages.dropna(subset=["rendered_reason"])["url"]) == chosen[0]
    assert fewer.run.manifest.left_out == {"sample": 7}
