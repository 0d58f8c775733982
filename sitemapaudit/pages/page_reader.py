"""One response → one page: everything that matters to a search engine."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from sitemapaudit.caps import cut, extend
from sitemapaudit.generators.recognition import GENERATOR, GENERATOR_HEADERS, find_generator
from sitemapaudit.http.challenges import find_challenge
from sitemapaudit.http.decoding import decode
from sitemapaudit.http.indexable_types import is_unknown_type
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import HTML_TYPES, Response
from sitemapaudit.http.sniffing import looks_like_html
from sitemapaudit.items import SCRIPT, Error, Page, RedirectKind
from sitemapaudit.pages.alternates import (
    count_outside_head,
    read_header_alternates,
    read_html_alternates,
)
from sitemapaudit.pages.canonical import (
    choose_canonical,
    read_header_canonicals,
    read_html_canonicals,
)
from sitemapaudit.pages.comments import read_comments
from sitemapaudit.pages.date_modified import choose_date_modified
from sitemapaudit.pages.directives import (
    PageStatements,
    applies_to,
    read_header_statements,
    read_meta_statements,
)
from sitemapaudit.pages.html import Html, TreeReader, read_html
from sitemapaudit.pages.link_header import read_links
from sitemapaudit.pages.own_columns import OwnColumns
from sitemapaudit.pages.refresh import read_refresh
from sitemapaudit.pages.soft404 import find_soft_404_sign
from sitemapaudit.robots.agents import signed_names
from sitemapaudit.urls import normalize
from sitemapaudit.verdicts import decide_verdict

MAX_BYTES: Final = 10 * 1024 * 1024
"""Decoded bytes of a page that are read; Googlebot reads the first 2 MB."""

SMALL_BYTES: Final = 131_072
"""Decoded bytes of a small body."""

SMALL_TAGS: Final = 5_000
"""Tags of a small body: it is parsed in a tenth of a second, however they are nested."""

_LENGTH: Final = re.compile(r"[0-9]{1,18}")


class LargeBodyError(Exception):
    """A body is not small: reading it may take seconds."""


def read_page(
    response: Response,
    page: Page,
    agent: str,
    others: Sequence[str] = (),
    *,
    only_small: bool = False,
    also: TreeReader | None = None,
    own: OwnColumns | None = None,
) -> Page:
    """Fill a page from its response, with the directives that apply to ``agent``.

    Statements for the ``others`` are kept, too. A text or list may exceed its cap by one character
    or item; it is truncated when the page is recorded.

    With ``only_small``, raises LargeBodyError before more than a small body is decoded. ``also``
    reads more from the document of an HTML page. ``own`` are the columns of the user.
    """
    stated = PageStatements(agent, response.fetched_at or datetime.now(UTC))
    _read_transfer(response, page)
    if response.error is None and response.status is not None:
        _read_headers(response, page, stated)
        if own is not None:
            page.own_values = own.read_headers(response)
        if 200 <= response.status < 300 and page.challenge is None:
            if not response.skipped:
                limit = SMALL_BYTES if only_small else MAX_BYTES
                html = _read_body(response, page, limit, also, own)
                if html is not None:
                    _read_html(html, page, stated, (agent, *others))
            if page.error is None:
                apply_directives(page, stated, agent)
                _apply_refresh(page)
    page.statements = stated.kept
    page.verdict = decide_verdict(page)
    return page


def is_html(media_type: str | None, body: bytes) -> bool:
    """Return whether a response is HTML: by its media type or, if that says nothing, its bytes."""
    if is_unknown_type(media_type):
        return looks_like_html(body)
    return media_type in HTML_TYPES


def _read_transfer(response: Response, page: Page) -> None:
    page.status = response.status
    page.error, page.error_detail = response.error, response.error_detail
    page.elapsed, page.retries = response.elapsed, response.retries
    page.file = response.file
    page.fetched_at = response.fetched_at
    page.truncated = response.truncated


def _read_headers(response: Response, page: Page, stated: PageStatements) -> None:
    page.content_type = response.media_type
    page.last_modified = response.header_time("last-modified")
    page.etag = response.header("etag")
    page.vary = ", ".join(response.header_lines("vary")) or None
    page.date = response.header_time("date")
    page.sets_cookie = bool(response.header_lines("set-cookie"))
    page.challenge = find_challenge(response)
    page.location = response.header("location")
    if response.status in REDIRECT_STATUSES:
        page.redirect_kind, page.target = RedirectKind.HTTP, response.redirect_target()
    if links := list(read_links(response.header_lines("link"))):
        extend(page.canonicals, read_header_canonicals(links, page.url))
        extend(page.alternates, read_header_alternates(links, page.url))
    for line in response.header_lines("x-robots-tag"):
        stated.add(read_header_statements(line))
    for value in response.header_lines("refresh"):
        refresh = read_refresh("header", value, page.url)
        extend(page.refreshes, (refresh,) if refresh else ())
    if response.skipped:
        length = response.header("content-length") or ""
        page.bytes = int(length) if _LENGTH.fullmatch(length) else None
    else:
        page.bytes = len(response.body)


def _read_body(
    response: Response, page: Page, limit: int, also: TreeReader | None, own: OwnColumns | None
) -> Html | None:
    """Read a body; return its document if it is HTML."""
    only_small = limit == SMALL_BYTES
    body, decoded = decode(response.body, response.codings, limit=limit)
    tags = body.count(b"<")
    if only_small and (decoded.truncated or decoded.ended_early or tags > SMALL_TAGS):
        raise LargeBodyError
    page.bytes, page.truncated = decoded.bytes, decoded.truncated or response.truncated
    if decoded.error and not response.truncated:
        page.error, page.error_detail = Error.ENCODING, decoded.error
    if not is_html(page.content_type, body):
        return None
    html = read_html(body, response.charset, also=also, tags=tags)
    if own is not None:
        page.own_values += own.read_document(body, response.charset)
    stated = (content for name, _, content in html.metas if name.strip().lower() == GENERATOR)
    headers = filter(None, map(response.header, GENERATOR_HEADERS))
    found = find_generator(stated, headers, html.assets, read_comments(body))
    page.generator = cut(found or "") or None
    return html


def _read_html(html: Html, page: Page, stated: PageStatements, agents: Sequence[str]) -> None:
    page.is_html, page.truncated = True, page.truncated or html.truncated
    page.title, page.h1, page.lang = html.title, html.h1, html.lang
    page.words, page.content_hash = html.text.words, html.text.hash
    page.fingerprint = html.text.fingerprint
    if html.dates_modified:
        chosen = choose_date_modified(html.dates_modified)
        page.date_modified, page.date_modified_at = chosen
    page.scripts, page.set_by_script = html.scripts, html.set_by_script
    base = html.base_url(page.url)
    if html.has_long_base:
        page.truncated_columns.append("base")
    if html.links:
        extend(page.canonicals, read_html_canonicals(html, base))
        extend(page.alternates, read_html_alternates(html, base))
        page.alternates_outside_head = count_outside_head(html) or None
    _read_metas(html, base, page, stated, [name for each in agents for name in signed_names(each)])
    if html.noscript_refreshes:
        _read_script_redirects(html, base, page)
    # The unread part of a truncated page may contain its text.
    page.soft_404 = None if page.truncated else find_soft_404_sign(page)


def _read_metas(
    html: Html, base: str, page: Page, stated: PageStatements, agents: Sequence[str]
) -> None:
    for name, http_equiv, content in html.metas:
        if http_equiv.strip().lower() == "refresh":
            refresh = read_refresh("meta", content, base, html.encoding)
            extend(page.refreshes, (refresh,) if refresh else ())
        elif name.strip().lower() == "description":
            page.description = page.description or cut(" ".join(content.split()))
        elif name:
            stated.add(read_meta_statements(name, content, agents))


def _read_script_redirects(html: Html, base: str, page: Page) -> None:
    addresses = {normalize(address, base) for address in html.script_addresses}
    refreshes = (read_refresh(SCRIPT, value, base) for value in html.noscript_refreshes)
    extend(page.refreshes, (each for each in refreshes if each and each.url in addresses - {None}))


def apply_directives(page: Page, stated: PageStatements, agent: str) -> None:
    """Set the directives that apply to the agent, and the canonical that counts."""
    for statement in stated.kept:
        statement.applies = applies_to(statement, agent)
    applying = (statement.token for statement in stated.kept if statement.applies)
    page.directives = list(dict.fromkeys(applying))
    page.noindex = stated.noindex
    choose_canonical(page)


def _apply_refresh(page: Page) -> None:
    """Make a page with a refresh to another URL, and without a delay, a redirect.

    Nothing else counts on a redirect. A script that probably redirects proves nothing, but
    explains a page without text.
    """
    if not page.refreshes:
        return
    if page.may_redirect:
        page.soft_404 = None
    first = next((each for each in page.redirecting_refreshes if each.source != SCRIPT), None)
    if first and first.delay == 0:
        page.redirect_kind, page.target = RedirectKind.REFRESH, first.url
        page.noindex = page.canonical = page.canonical_source = page.soft_404 = None
