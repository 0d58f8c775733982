"""Builds responses for tests, and the pages that the reader creates from them."""

import gzip
from typing import Any

from sitemapaudit.caps import fit
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Page
from sitemapaudit.pages.page_reader import read_page
from tests.support.rows import NOW, fetched_page

SITE = "https://www.example.com"
URL = f"{SITE}/a"
HTML = "text/html; charset=utf-8"

WITHHELD = (
    "401", "403", "404", "407", "429", "500", "503", "301",
    "challenge with 200", "challenge with 202", "broken compression with 200", "timeout", "blocked",
    "limit",
)  # fmt: skip
"""Reasons why the content of a response is not used; see ``withheld``."""


def make_response(
    body: str | bytes = "",
    *lines: str,
    at: str = URL,
    status: int | None = 200,
    media: str | None = HTML,
    **values: Any,
) -> Response:
    """Return a response with a body, and with header lines such as ``Refresh: 5``."""
    headers: dict[str, list[str]] = {} if media is None else {"content-type": [media]}
    for line in lines:
        name, _, value = line.partition(":")
        headers.setdefault(name.lower(), []).append(value.strip())
    content = body.encode() if isinstance(body, str) else body
    return Response(at, status, headers, content, fetched_at=NOW, **values)


def page_of(
    body: str | bytes = "", *lines: str, agent: str = "Googlebot", role: Any = None, **values: Any
) -> Page:
    """Return the row of a page with this response, within its caps."""
    response = make_response(body, *lines, **values)
    page = Page(response.url, allowed=True)
    page.role = role or page.role
    return fit(read_page(response, page, agent))


def redirect(at: str, target: str, status: int = 301, *lines: str) -> Page:
    """Return the row of a page that redirects."""
    return page_of("", f"Location: {target}", *lines, at=at, status=status)


def failed(error: Error, detail: str = "in other words", at: str = URL, retries: int = 0) -> Page:
    """Return the row of a page without a response."""
    return page_of(at=at, status=None, error=error, error_detail=detail, retries=retries)


def blocked(at: str = URL) -> Page:
    """Return the row of a page that robots.txt disallows."""
    reason = "robots.txt disallows it for Googlebot"
    return fetched_page(at, None, allowed=False, error_detail=reason)


def withheld(reason: str, body: str, *lines: str, at: str = URL, media: str | None = HTML) -> Page:
    """Return the row of a page that is not used, for this reason: any status or error, too."""
    kind, _, status = reason.partition(" with ")
    match kind:
        case "challenge":
            lines = ("cf-mitigated: challenge", *lines)
        case "broken compression":
            lines = ("Content-Encoding: gzip", *lines)
        case "blocked":
            return blocked(at)
        case _ if kind in set(Error):
            return failed(Error(kind), at=at)
    content = gzip.compress(body.encode())[:-1] if "compression" in kind else body
    return page_of(content, *lines, at=at, status=int(status or kind), media=media)


def canonical(href: str) -> str:
    """Return a canonical tag."""
    return f'<link rel="canonical" href="{href}">'


def head(*elements: str) -> str:
    """Return a document with these elements in its head."""
    return f"<!doctype html><html><head>{''.join(elements)}</head><body><p>Text.</p></body></html>"
