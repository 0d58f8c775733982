"""What a browser showed → one row, read by the same reader as the HTML that was sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from sitemapaudit import urls
from sitemapaudit.answer import Answer
from sitemapaudit.decoding import decode
from sitemapaudit.items import Error, Page, Rendering, Verdict
from sitemapaudit.pages.html import read_html
from sitemapaudit.pages.reader import MAX_BYTES, read_page
from sitemapaudit.pages.verdict import judge
from sitemapaudit.rendering.observed import Observed
from sitemapaudit.rendering.visit import Reply

MAX_LINKS: Final = 10_000
"""Links of a page that are compared."""

_OF_TRANSFER: Final = frozenset(
    {"content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"}
)
_SIGNALS: Final = (
    "directives", "noindex", "canonical", "canonical_source", "canonicals", "title",
    "description", "h1", "lang", "words", "content_hash", "fingerprint", "soft_404", "alternates",
)  # fmt: skip
_NOTES: Final = (
    "navigations", "requests", "blocked_requests", "blocked", "failed_requests", "failed",
    "console_errors", "console", "elapsed",
)  # fmt: skip
_STATE: Final = ("status", "final_url", "settled")


def reply_of(answer: Answer) -> Reply:
    """Return an answer as the browser is to get it: decoded."""
    body, _ = decode(answer.body, answer.lines("content-encoding"), cap=MAX_BYTES)
    headers = {
        # Playwright takes lines of a cookie by line breaks; others may be one list (RFC 9110 5.3).
        name: ("\n" if name == "set-cookie" else ", ").join(lines)
        for name, lines in answer.headers.items()
        if name not in _OF_TRANSFER
    }
    return Reply(answer.url, answer.status or 200, headers, body)


def read_observed(
    observed: Observed, answer: Answer, rendering: Rendering, agent: str
) -> Rendering:
    """Fill a row with what was observed, beside the answer that the browser was given."""
    rendering.error = rendering.error_detail = None
    _copy(_NOTES, observed, rendering)
    if observed.html is None:
        return rendering
    _copy(_STATE, observed, rendering)
    if not observed.loaded:
        rendering.error, rendering.error_detail = Error.TIMEOUT, "it did not load in its time"
    elif observed.goes_round:
        rendering.error, rendering.error_detail = Error.REDIRECT_LOOP, "it goes on without end"
    elif not observed.navigations and observed.status != answer.status:
        rendering.error = Error.BROWSER
        rendering.error_detail = (
            f"it answered {observed.status} when its scripts had it loaded again"
        )
    page = _page(observed, answer, agent)
    _copy(_SIGNALS, page, rendering)
    if rendering.error is None and not needs(rendering):
        # What ``history`` shows is the base of addresses, and no other page.
        page.url = answer.url
        rendering.verdict = Verdict.REDIRECTED if _has_moved(rendering) else judge(page)
    _compare_links(observed.html, answer, rendering)
    return rendering


def _copy(names: Iterable[str], source: Page | Observed, rendering: Rendering) -> None:
    for name in names:
        setattr(rendering, name, getattr(source, name))


def needs(rendering: Rendering) -> list[str]:
    """Return the scripts and data of the page's own host that robots.txt keeps from it."""
    host = urls.host(rendering.url)
    return [url for url in rendering.blocked if urls.host(url) == host]


def _page(observed: Observed, answer: Answer, agent: str) -> Page:
    """Read the document that stood there at the end, with the headers that it came with."""
    headers = answer.headers if observed.headers is None else observed.headers
    kept = {name: lines for name, lines in headers.items() if name not in _OF_TRANSFER}
    shown = replace(
        answer,
        url=observed.final_url or answer.url,
        headers=kept | {"content-type": ["text/html; charset=utf-8"]},
        body=(observed.html or "").encode(errors="replace"),
        status=200,
    )
    page = read_page(shown, Page(shown.url), agent)
    page.scripts = 0  # They have run: what is not there now will not come.
    return page


def _has_moved(rendering: Rendering) -> bool:
    """Whether another document has taken the place of the page; ``history`` alone does not."""
    went = any(navigation.by == "document" for navigation in rendering.navigations)
    return went and rendering.final_url != rendering.url


def _compare_links(html: str, answer: Answer, rendering: Rendering) -> None:
    body, _ = decode(answer.body, answer.lines("content-encoding"), cap=MAX_BYTES)
    before = _internal(body, answer.charset, answer.url)
    after = _internal(html.encode(errors="replace"), "utf-8", rendering.final_url or answer.url)
    rendering.links = len(after)
    rendering.links_added, rendering.links_removed = len(after - before), len(before - after)


def _internal(body: bytes, charset: str | None, url: str) -> set[str]:
    html = read_html(body, charset, anchors=True)
    base, host = html.base_url(url), urls.host(url)
    found = (urls.normalise(href, base) for href in html.anchors[:MAX_LINKS])
    return {address for address in found if address and urls.host(address) == host}
