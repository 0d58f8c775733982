"""A real browser renders the pages of a website, and the tables hold both versions of each."""

from dataclasses import dataclass
from typing import Any

import pytest

from sitemapaudit.demo.server import Reply
from tests.rendering.low_limits import MAX_REQUESTS
from tests.rendering.site import HTML, PROSE, ScriptedSite, scripted
from tests.support.audits import Audited, crawl

SHELL = "<div id=app></div>"
SHADOW = f"<h2>S</h2><p>{PROSE}</p>"
BUSY = "const ends = Date.now() + 600; while (Date.now() < ends);"
LATE = "fetch('/late').then(() => { document.body.append(' late') })"
HANGING = (
    "const request = new XMLHttpRequest(); request.open('GET', '/never', false); request.send()"
)
"""Blocks the thread of the page like an endless loop, and leaves the processor to the others."""

ELSEWHERE = "<link rel=canonical href=/elsewhere>"
PAGES: dict[str, str | Reply] = {
    "/hanging": scripted(HANGING),
    "/hanging-later": scripted(f"setTimeout(() => {{ {HANGING} }}, 100)"),
    "/static": f"<title>Static</title><h1>H</h1><p>{PROSE}</p>",
    "/noindex": scripted(
        "const m = document.createElement('meta'); m.name = 'robots'; m.content = 'noindex';"
        "document.head.append(m)"
    ),
    "/index-by-script": scripted(
        "document.querySelector('meta[name=robots]').remove()", "<meta name=robots content=noindex>"
    ),
    "/canonical": scripted(
        "document.querySelector('link').href = '/static'", "<link rel=canonical href=/canonical>"
    ),
    "/canonical-removed": scripted("document.querySelector('link').remove()", ELSEWHERE),
    "/app": scripted(
        "fetch('/data').then(r => r.text()).then(t => { document.title = 'App';"
        "document.querySelector('h1').textContent = 'Rendered';"
        "document.documentElement.lang = 'de';"
        "app.innerHTML = '<p>' + t + '</p>' + [1,2,3,4,5].map(n => `<a href=/${n}>n</a>`).join('')"
        "+ '<a href=https://other.example/>o</a>' })",
        body=SHELL,
    ),
    "/shadow": scripted(
        f"document.querySelector('x-y').attachShadow({{mode: 'open'}}).innerHTML = '{SHADOW}'",
        body="<x-y></x-y>",
    ),
    "/moved": scripted("location = '/static'"),
    "/moved-late": scripted("setTimeout(() => { location = '/static' }, 200)"),
    "/moved-after-a-minute": scripted("setTimeout(() => { location = '/static' }, 60000)"),
    "/history": scripted("history.replaceState(null, '', '/address')"),
    "/history-canonical": scripted(
        "history.replaceState(null, '', '/other')",
        "<link rel=canonical href=/history-canonical>",
    ),
    "/fragment": scripted("location.hash = 'part'"),
    "/refresh": scripted("", "<meta http-equiv=refresh content='0;url=/static'>"),
    "/moved-to-missing": scripted("location = '/missing'"),
    "/reload": scripted(
        "if (!localStorage.reloaded) { localStorage.reloaded = 1; location.reload() }"
    ),
    "/endless-reload": scripted("location.reload()"),
    "/there": scripted("location = '/and-back'"),
    "/and-back": scripted("location = '/there'"),
    "/blocked-script": scripted("", "<script src=/private/needed.js></script>"),
    "/unneeded": scripted("", body=f"<p>{PROSE}</p><img src=/private/i.png><img src=/i.png>"),
    "/errors": scripted(
        "console.error('logged'); fetch('/missing'); throw new Error('thrown')",
        "<script src=/missing.js></script>",
    ),
    "/surrogates": scripted(
        "const half = '\\ud83d'; console.error(half); document.title = half;"
        "history.replaceState(null, '', '/surrogates#' + half);"
        "fetch('/data?' + half, {headers: {a: half}}).catch(e => console.error(e + half));"
        "fetch('half:' + half).catch(e => console.error(e + half));"
        "Promise.reject(half); throw Error(half)"
    ),
    "/long-error": scripted(
        "console.log('x'.repeat(1e6)); console.error('x'.repeat(1e6)); throw 'y'.repeat(1e6)"
    ),
    "/private-address": scripted(
        "fetch('http://10.0.0.1:81/').catch(() => { document.title = 'refused' })"
    ),
    "/moved-to-forbidden": scripted("location = '/private/page'"),
    "/moved-to-nowhere": scripted("location = 'http://nowhere.invalid/'"),
    "/back": scripted("history.back()"),
    "/worker": scripted("navigator.serviceWorker.register('/s.js').then(one => one.scope)"),
    "/visual": scripted(
        "const image = new Image(); image.src = '/i.png'; image.decode().then(() => 0);"
        "new FontFace('x', 'url(/f.woff2)').load()"
    ),
    "/element": scripted(
        "customElements.define('x-b', class extends HTMLElement {"
        " connectedCallback() { this.textContent = this.getRootNode().host.label } });"
        "customElements.define('x-a', class extends HTMLElement { constructor() {"
        " super(); this.label = 'T';"
        " this.attachShadow({mode: 'open'}).innerHTML = '<x-b></x-b>' } });",
        body=f"<p>{PROSE}</p><x-a></x-a>",
    ),
    "/no-charset": Reply(
        scripted("").replace("T", "Caf\N{LATIN SMALL LETTER E WITH ACUTE}").encode(),
        headers=[("Content-Type", "text/html")],
    ),
    "/waiting": "<!doctype html><html lang=en><title>T</title><body><script>"
    "setInterval(() => fetch('/waited?' + Math.random()), 100)</script>",
    "/many-requests": scripted("for (let n = 0; n < 70; n++) fetch('/data?' + n).catch(() => 0)"),
    "/windows": scripted(
        "alert('a'); confirm('b'); prompt('c'); window.open('/window');"
        "onbeforeunload = () => 'stay'"
    ),
    "/download": scripted("location = '/file.zip'"),
    "/polling": scripted("setInterval(() => fetch('/polled?' + Math.random()), 100)"),
    "/growing": scripted(
        "setInterval(() => { for (let n = 0; n < 100; n++) document.body.append('and more ') }, 5)"
    ),
    "/closing": scripted("window.close()"),
    "/slow-script": scripted(BUSY + LATE),
    "/slow-task": scripted(f"setTimeout(() => {{ {BUSY} {LATE} }}, 100)"),
}
OTHERS = {
    "/data": Reply(PROSE, headers=[("Content-Type", "text/plain")]),
    "/waited": Reply(PROSE, headers=[("Content-Type", "text/plain")]),
    "/polled": Reply(PROSE, headers=[("Content-Type", "text/plain")]),
    "/late": Reply("late", headers=[("Content-Type", "text/plain")], delay=0.6),
    "/never": Reply("never", headers=[("Content-Type", "text/plain")], delay=60),
    "/file.zip": Reply(b"PK", headers=[("Content-Type", "application/zip")]),
    "/private/page": Reply("no", headers=[HTML]),
    "/window": Reply("<script>fetch('/from-the-window')</script>", headers=[HTML]),
}
FAILED = {
    "/endless-reload": "redirect-loop",
    "/there": "redirect-loop",
    "/and-back": "redirect-loop",
    "/hanging": "timeout",
    "/hanging-later": "timeout",
    "/moved-to-nowhere": "browser",
    "/back": "browser",
}
VERDICTS = dict.fromkeys(PAGES, "indexable") | {
    "/noindex": "noindex",
    "/index-by-script": "noindex",
    "/canonical": "canonicalized",
    "/canonical-removed": "canonicalized",
    "/moved": "redirected",
    "/moved-late": "redirected",
    "/refresh": "redirected",
    "/moved-to-missing": "redirected",
    "/moved-to-forbidden": "redirected",
    "/there": "redirected",
    "/and-back": "redirected",
}
FINDINGS = sorted(
    [
        ("page-meta-refresh", "/refresh"),
        ("render-canonical-differs", "/canonical"),
        ("render-canonical-differs", "/canonical-removed"),
        ("render-content-differs", "/app"),
        ("render-content-differs", "/growing"),
        ("render-content-differs", "/private-address"),
        ("render-content-differs", "/shadow"),
        ("render-content-differs", "/surrogates"),
        ("render-failed", "/blocked-script"),
        ("render-failed", "/endless-reload"),
        ("render-failed", "/hanging"),
        ("render-failed", "/hanging-later"),
        ("render-failed", "/there"),
        ("render-failed", "/and-back"),
        ("render-failed", "/back"),
        ("render-failed", "/moved-to-nowhere"),
        ("render-js-redirect", "/history"),
        ("render-js-redirect", "/history-canonical"),
        ("render-js-redirect", "/moved"),
        ("render-js-redirect", "/moved-late"),
        ("render-js-redirect", "/moved-to-missing"),
        ("render-js-redirect", "/moved-to-forbidden"),
        ("render-noindex-differs", "/index-by-script"),
        ("render-noindex-differs", "/noindex"),
        ("render-script-error", "/errors"),
        ("render-script-error", "/long-error"),
        ("render-script-error", "/surrogates"),
    ]
)
REPEATED_REQUESTS = {"/static": 3, "/there": 6, "/and-back": 6}
"""The browser itself fetches the pages that scripts navigate to."""


@dataclass(frozen=True)
class Outcome:
    """The results of an audit of a website."""

    site: ScriptedSite
    audited: Audited

    @property
    def pages(self) -> dict[str, Any]:
        """The row of each page by path."""
        pages = self.audited.run.pages.astype(object)
        pages = pages.where(pages.notna(), None)
        return {self.path(row["url"]): row for _, row in pages.iterrows()}

    @property
    def verdicts(self) -> dict[str, str]:
        urls = self.audited.run.urls
        pairs = zip(urls["url"], urls["verdict"], strict=True)
        return {self.path(url): verdict for url, verdict in pairs}

    @property
    def errors(self) -> dict[str, str]:
        """The error of each page that the browser could not render."""
        rows = self.pages.items()
        return {path: row.rendered_error for path, row in rows if row.rendered_error}

    def findings(self, *prefixes: str) -> list[tuple[str, str]]:
        findings = [(rule, self.path(place)) for rule, place in self.audited.findings()]
        return [finding for finding in findings if finding[0].startswith(prefixes)]

    def path(self, url: str) -> str:
        return url.removeprefix(self.site.origin)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    # Pages that hang need this time; no other page does, except on a machine that is very busy.
    settings = {"DOWNLOAD_TIMEOUT": "12", "AUDIT_RENDER_IDLE": "0.3"}
    settings["AUDIT_COLUMNS"] = '{"heading": "css:h1"}'
    with ScriptedSite(PAGES, OTHERS) as site:
        arguments = {"site": site.origin, "render": "always", "follow": "none"}
        folder = tmp_path_factory.mktemp("audits")
        audited = crawl(folder, arguments, settings, module="tests.rendering.low_limits")
    assert audited.status == 0
    assert "Traceback" not in audited.log
    return Outcome(site, audited)


@pytest.mark.xdist_group("rendering")
def test_every_page_that_is_not_a_redirect_is_rendered(outcome: Outcome) -> None:
    rendered = f"{len(PAGES) - 1} rendered ({len(FAILED)} of them failed)"
    assert f"{len(PAGES)} listed URLs in 1 sitemap, {rendered}" in outcome.audited.output
    reasons = {path: row.render_reason for path, row in outcome.pages.items()}
    expected = dict.fromkeys(PAGES, "always") | {"/refresh": None}
    assert {path: reasons[path] for path in PAGES} == expected
    assert outcome.errors == FAILED
    assert outcome.verdicts == VERDICTS
    assert outcome.findings("render-", "page-meta") == FINDINGS


@pytest.mark.xdist_group("rendering")
def test_each_page_is_fetched_once(outcome: Outcome) -> None:
    site = outcome.site
    repeated = {path: times for path in PAGES if (times := site.times(path)) > 1}
    assert repeated == REPEATED_REQUESTS
    never = ("/private/needed.js", "/private/i.png", "/private/page", "/i.png")
    assert {path: site.times(path) for path in never} == dict.fromkeys(never, 0)
    assert site.times("/from-the-window") == 0
    assert site.times("/data") <= 1 + MAX_REQUESTS
    assert 0 < site.times("/polled") <= 1 + 10 * outcome.pages["/polling"].rendered_elapsed


@pytest.mark.xdist_group("rendering")
def test_the_columns_of_rendered_pages(outcome: Outcome) -> None:
    site, pages = outcome.site, outcome.pages

    app = pages["/app"]
    rendered = (app.rendered_title, app.rendered_h1, app.rendered_lang, app.rendered_words)
    assert rendered == ("App", "Rendered", "de", 162 + 5)
    assert (app.heading, app.rendered_heading) == (app.h1, "Rendered")
    assert (app.title, app.h1, app.lang, app.words) == ("T", "H", "en", 1)
    assert (app.rendered_links, app.rendered_links_added, app.rendered_links_removed) == (5, 5, 0)
    assert (app.rendered_status, app.rendered_idle, app.rendered_requests) == (200, True, 1)
    assert pages["/shadow"].rendered_words == 162

    late = pages["/moved-late"]
    assert late.rendered_final_url == f"{site.origin}/static"
    assert [dict(navigation) for navigation in late.rendered_navigations] == [
        {"by": "document", "url": f"{site.origin}/static"}
    ]
    assert pages["/history"].rendered_navigations[0]["by"] == "history"
    assert pages["/moved-to-missing"].rendered_status == 404
    assert pages["/fragment"].rendered_final_url == f"{site.origin}/fragment"
    assert len(pages["/reload"].rendered_navigations) == 1
    assert len(pages["/endless-reload"].rendered_navigations) == 10

    errors = pages["/errors"]
    assert errors.rendered_console_errors == 2
    assert set(errors.rendered_console) == {"logged", "thrown"}
    assert (errors.rendered_script_errors, errors.rendered_script_error) == (1, "thrown")
    assert errors.rendered_failed_requests == 2
    assert any("missing.js (status 404)" in failed for failed in errors.rendered_failed)

    surrogates = pages["/surrogates"]
    assert surrogates.rendered_console_errors == 6
    assert {"?", "TypeError: Failed to fetch?"} <= {*surrogates.rendered_console}

    long = pages["/long-error"]
    assert long.rendered_console_errors == 2
    assert all(
        text.endswith("bytes, which is too long to be read") for text in long.rendered_console
    )

    assert list(pages["/blocked-script"].rendered_blocked) == [f"{site.origin}/private/needed.js"]
    assert pages["/unneeded"].rendered_blocked_requests == 0
    assert pages["/private-address"].rendered_title == "refused"
    forbidden = pages["/moved-to-forbidden"]
    assert (forbidden.rendered_blocked_requests, list(forbidden.rendered_blocked)) == (1, [])
    assert forbidden.rendered_final_url == f"{site.origin}/private/page"
    assert forbidden.rendered_status is None
    assert pages["/many-requests"].rendered_requests == 70 > MAX_REQUESTS
    assert not pages["/polling"].rendered_idle
    assert pages["/growing"].rendered_words > 1000


@pytest.mark.xdist_group("rendering")
@pytest.mark.parametrize("path", ["/slow-script", "/slow-task"])
def test_a_page_is_not_idle_before_its_scripts_have_run(outcome: Outcome, path: str) -> None:
    """On a busy machine, any script is as slow as these."""
    page = outcome.pages[path]
    assert not page.rendered_idle or page.rendered_words == page.words + 1


@pytest.mark.xdist_group("hanging")
def test_a_sample_is_the_same_in_every_run(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The second run fetches only a sample of the pages, which contains those to render."""
    pages = {f"/{number}": scripted("") for number in range(8)}
    chosen = []
    with ScriptedSite(pages) as site:
        for arguments, skipped in (({}, {}), ({"pages": "4"}, {"sample": 4})):
            folder = tmp_path_factory.mktemp("audits")
            audited = crawl(folder, {"site": site.origin, "render": "2", **arguments})
            assert audited.status == 0
            rendered = audited.run.pages.dropna(subset=["render_reason"])
            assert set(rendered["render_reason"]) == {"sample"}
            chosen.append(sorted(rendered["url"]))
            fetched = audited.run.urls.query("skip_reason.isna()")
            assert fetched["verdict"].unique().tolist() == ["indexable"]
            assert audited.run.manifest.skipped == skipped
    assert len(chosen[0]) == 2
    assert chosen[0] == chosen[1]
