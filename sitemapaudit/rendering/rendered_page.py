"""Observations of the browser → a row, read by the same reader as the HTML source."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Final

from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser

from sitemapaudit import urls
from sitemapaudit.http.decoding import decode
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page, Rendering, Signals, Verdict
from sitemapaudit.pages.html import Html, TreeReader, read_html, states_encoding
from sitemapaudit.pages.links import LinkReader, PageLinks, count_buttons
from sitemapaudit.pages.own_columns import OwnColumns
from sitemapaudit.pages.page_reader import MAX_BYTES, read_page
from sitemapaudit.pages.selecting import Elements
from sitemapaudit.rendering.observations import Observations
from sitemapaudit.rendering.page_visit import StoredResponse
from sitemapaudit.verdicts import decide_rendered_verdict

MAX_LINKS: Final = 10_000
"""The limit for links of a page that are compared."""

_OF_TRANSFER: Final = frozenset(
    {"content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive"}
)
_SIGNALS: Final = tuple(field.name for field in fields(Signals) if field.name != "url")
_NOTES: Final = (
    "navigations", "requests", "blocked_requests", "blocked", "failed_requests", "failed",
    "console_errors", "console", "script_errors", "script_error", "elapsed",
)  # fmt: skip
_STATE: Final = ("status", "final_url", "idle")


def stored_response(response: Response) -> StoredResponse:
    """Return a response for the browser, decoded."""
    body, _ = decode(response.body, response.codings, limit=MAX_BYTES)
    headers = {
        # Playwright separates cookies by line breaks; other headers join (RFC 9110 section 5.3).
        name: ("\n" if name == "set-cookie" else ", ").join(lines)
        for name, lines in response.headers.items()
        if name not in _OF_TRANSFER
    }
    if not states_encoding(body, response.charset):
        # Otherwise the browser guesses, and its texts differ from those of the source.
        headers["content-type"] = f"{response.media_type or 'text/html'}; charset=utf-8"
    return StoredResponse(response.url, response.status or 200, headers, body)


def fill_rendering(
    observed: Observations,
    response: Response,
    rendering: Rendering,
    agent: str,
    links: LinkReader | None = None,
    own: OwnColumns | None = None,
) -> PageLinks | None:
    """Fill a row with observations; ``response`` was served to the browser.

    Return the result of ``links`` for the document, if both exist. ``own`` are columns of the user.
    """
    rendering.error = rendering.error_detail = None
    _copy(_NOTES, observed, rendering)
    if observed.html is None:
        return None
    _copy(_STATE, observed, rendering)
    rendering.error, rendering.error_detail = _fault(observed, response)
    found: list[PageLinks] = []

    def read_links(tree: LexborHTMLParser, html: Html, elements: Elements) -> None:
        if links is not None:
            final_url = observed.final_url or response.url
            base = html.base_url(final_url)
            read = links.read(tree, base, rendering.url, html.encoding, elements)
            read.dropped += count_buttons(tree)
            found.append(read)

    page = _read_rendered(observed, response, agent, read_links, own)
    _copy(_SIGNALS, page, rendering)
    # ``history`` changes the base of relative URLs, but not the page.
    page.url = response.url
    _decide(observed, rendering, page)
    _compare_links(observed.html, response, rendering)
    return found[0] if found else None


def _fault(observed: Observations, response: Response) -> tuple[Error | None, str | None]:
    """Return why a page could not be rendered, and the details; None if it could."""
    if not observed.loaded:
        return Error.TIMEOUT, "it did not finish loading"
    if observed.navigates_endlessly:
        return Error.REDIRECT_LOOP, "it navigates endlessly"
    if not observed.navigations and observed.status != response.status:
        return Error.BROWSER, f"it returned {observed.status} when its scripts reloaded it"
    if observed.final_url is None:
        return Error.BROWSER, "it left for an empty page"
    if observed.left_for:
        return Error.BROWSER, f"it goes to {observed.left_for}, which may not be contacted"
    return None, None


def _decide(observed: Observations, rendering: Rendering, page: Page) -> None:
    """Decide the verdict, unless what the browser shows is not what engines see."""
    if observed.navigates_endlessly and observed.leaves(rendering.url):
        rendering.final_url, rendering.verdict = None, Verdict.REDIRECTED
    elif rendering.error is None and not blocked_needs(rendering):
        if observed.disallowed is not None:
            rendering.final_url, rendering.status = observed.disallowed, None
        rendering.verdict = decide_rendered_verdict(rendering, page)


def _copy(names: Iterable[str], source: Page | Observations, rendering: Rendering) -> None:
    for name in names:
        setattr(rendering, name, getattr(source, name))


def blocked_needs(rendering: Rendering) -> list[str]:
    """Return the scripts and data of the page's own host that robots.txt disallows."""
    host = urls.host(rendering.url)
    return [url for url in rendering.blocked if urls.host(url) == host]


def _read_rendered(
    observed: Observations,
    response: Response,
    agent: str,
    also: TreeReader,
    own: OwnColumns | None,
) -> Page:
    """Read the final document, with the headers of its response."""
    headers = response.headers if observed.headers is None else observed.headers
    kept = {name: lines for name, lines in headers.items() if name not in _OF_TRANSFER}
    rendered = replace(
        response,
        url=observed.final_url or response.url,
        headers=kept | {"content-type": ["text/html; charset=utf-8"]},
        body=(observed.html or "").encode(errors="replace"),
        status=200,
    )
    page = read_page(rendered, Page(rendered.url), agent, also=also, own=own)
    # Scripts that have run cannot change anything more.
    page.scripts = 0 if observed.idle else 1
    return page


def _compare_links(html: str, response: Response, rendering: Rendering) -> None:
    body, _ = decode(response.body, response.codings, limit=MAX_BYTES)
    before = _internal_links(body, response.charset, response.url)
    final_url = rendering.final_url or response.url
    after = _internal_links(html.encode(errors="replace"), "utf-8", final_url)
    rendering.links = len(after)
    rendering.links_added, rendering.links_removed = len(after - before), len(before - after)


def _internal_links(body: bytes, charset: str | None, url: str) -> set[str]:
    html = read_html(body, charset, anchors=True)
    base, host = html.base_url(url), urls.host(url)
    found = (urls.normalize(href, base) for href in html.anchors[:MAX_LINKS])
    return {link for link in found if link and urls.host(link) == host}
