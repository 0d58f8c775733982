"""One answer → one page: everything that it says to a search engine."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from sitemapaudit.answer import REDIRECTS, Answer
from sitemapaudit.decoding import decode
from sitemapaudit.items import Error, Page
from sitemapaudit.pages import canonical
from sitemapaudit.pages.alternates import alternates_of_header, alternates_of_html
from sitemapaudit.pages.directives import (
    forbids_index,
    holds_for,
    statements_of_header,
    statements_of_meta,
)
from sitemapaudit.pages.html import Html, read_html
from sitemapaudit.pages.links import read_links
from sitemapaudit.pages.refresh import read_refresh
from sitemapaudit.pages.soft404 import soft_404
from sitemapaudit.pages.verdict import judge

HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
MAX_BYTES: Final = 10 * 1024 * 1024
"""Decoded bytes of a page that are read; Googlebot reads the first 2 MB."""

MAX_TEXT: Final = 4_096
"""Characters of a title, description or h1 that are kept."""

MAX_STATED: Final = 1_000
"""Statements, canonicals, alternates and refreshes of one page that are kept of each."""

_LOOKS_LIKE_HTML: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?>(?><!--.*?-->)\s*)*+<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_LENGTH: Final = re.compile(r"[0-9]{1,18}")
_CHALLENGES: Final = {
    "cf-mitigated": ("challenge",),
    "x-amzn-waf-action": ("challenge", "captcha"),
}


def read_page(answer: Answer, page: Page, agent: str) -> Page:
    """Fill a page from its answer, with the directives that hold for ``agent``."""
    _read_transfer(answer, page)
    if answer.error is None and answer.status is not None:
        _read_headers(answer, page)
        if 200 <= answer.status < 300 and page.challenge is None:
            if not answer.skipped:
                _read_body(answer, page, agent)
            if page.error is None:
                _settle(answer, page, agent)
    for stated in (page.statements, page.canonicals, page.alternates, page.refresh):
        del stated[MAX_STATED:]
    page.verdict = judge(page)
    return page


def is_html(media_type: str | None, body: bytes) -> bool:
    """Whether an answer is to be read as HTML: by its type or, without one, by its bytes."""
    if media_type is None:
        return _LOOKS_LIKE_HTML.match(body[:1024]) is not None
    return media_type in HTML_TYPES


def _read_transfer(answer: Answer, page: Page) -> None:
    page.status = answer.status
    page.error, page.error_detail = answer.error, answer.error_detail
    page.elapsed, page.retries, page.fetched_at = answer.elapsed, answer.retries, answer.fetched_at
    page.cut = answer.cut


def _read_headers(answer: Answer, page: Page) -> None:
    page.content_type = answer.media_type
    page.last_modified = answer.time("last-modified")
    page.date = answer.time("date")
    page.sets_cookie = bool(answer.lines("set-cookie"))
    page.challenge = _challenge(answer)
    page.location = answer.header("location")
    if answer.status in REDIRECTS:
        page.target = answer.target()
    links = list(read_links(answer.lines("link")))
    page.canonicals.extend(canonical.canonicals_of_header(links, page.url))
    page.alternates.extend(alternates_of_header(links, page.url))
    for line in answer.lines("x-robots-tag"):
        page.statements.extend(statements_of_header(line))
    for value in answer.lines("refresh"):
        refresh = read_refresh("header", value, page.url)
        if refresh:
            page.refresh.append(refresh)
    if answer.skipped:
        length = answer.header("content-length") or ""
        page.bytes = int(length) if _LENGTH.fullmatch(length) else None
    else:
        page.bytes = len(answer.body)


def _challenge(answer: Answer) -> str | None:
    for name, values in _CHALLENGES.items():
        value = (answer.header(name) or "").strip().lower()
        if value in values:
            return f"{name}: {value}"
    return None


def _read_body(answer: Answer, page: Page, agent: str) -> None:
    body, decoded = decode(answer.body, answer.lines("content-encoding"), cap=MAX_BYTES)
    page.bytes, page.cut = decoded.bytes, decoded.cut or answer.cut
    if decoded.fault and not answer.cut:
        page.error, page.error_detail = Error.ENCODING, decoded.fault
    if is_html(answer.media_type, body):
        _read_html(read_html(body, answer.charset), page, agent)


def _read_html(html: Html, page: Page, agent: str) -> None:
    page.html, page.cut = True, page.cut or html.cut
    page.title, page.h1, page.lang = _short(html.title), _short(html.h1), _short(html.lang)
    page.words, page.content_hash = html.text.words, html.text.hash
    page.fingerprint = html.text.fingerprint
    page.scripts, page.scripted = html.scripts, html.scripted
    base = html.base_url(page.url)
    page.canonicals.extend(canonical.canonicals_of_html(html, base))
    page.alternates.extend(alternates_of_html(html, base))
    _read_metas(html, base, page, agent)
    # What was not read may hold the text.
    page.soft_404 = None if page.cut else soft_404(page)


def _read_metas(html: Html, base: str, page: Page, agent: str) -> None:
    for name, http_equiv, content in html.metas:
        if http_equiv.strip().lower() == "refresh":
            refresh = read_refresh("meta", content, base)
            if refresh:
                page.refresh.append(refresh)
        elif name.strip().lower() == "description":
            page.description = page.description or _short(" ".join(content.split()))
        elif name:
            page.statements.extend(statements_of_meta(name, content, (agent.lower(),)))


def _settle(answer: Answer, page: Page, agent: str) -> None:
    """Decide what holds: the directives for the agent, and the canonical that counts."""
    now = answer.fetched_at or datetime.now(UTC)
    for statement in page.statements:
        statement.holds = holds_for(statement, agent)
    holding = [statement for statement in page.statements if statement.holds]
    page.directives = list(dict.fromkeys(statement.token for statement in holding))
    page.noindex = any(forbids_index(statement, now) for statement in holding)
    canonical.settle(page)


def _short(text: str | None) -> str | None:
    return text[:MAX_TEXT] if text else text
