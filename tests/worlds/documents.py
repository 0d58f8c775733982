"""The responses of a drawn website: the documents of its pages and sitemaps."""

import gzip
import random
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from string import ascii_lowercase
from typing import Final

from tests.worlds.files import UNREADABLE_FLAWS, WorldEntry, WorldFile
from tests.worlds.pages import FILES, FORBIDDEN, Kind, WorldPage
from tests.worlds.world import WorldRobots

Address = Callable[[str], str]
"""Returns the URL of a path of the website."""

MOVED: Final = "?moved"
"""The end of the address to which a sitemap has moved."""

_NAMESPACE: Final = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_HTML: Final = ("Content-Type", "text/html; charset=utf-8")
_XML: Final = ("Content-Type", "text/xml")
_TEXT: Final = ("Content-Type", "text/plain")
_GZIP: Final = ("Content-Type", "application/gzip")
_ZIP: Final = ("Content-Type", "application/zip")
_NOT_FOUND: Final = "<title>Page not found</title><p>There is nothing at this address."


@dataclass(frozen=True)
class Document:
    """A response: its status, headers and body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


def robots_document(robots: WorldRobots | None, address: Address) -> Document:
    """Return the response for robots.txt."""
    if robots is None:
        return Document(404, ())
    lines = ["User-agent: *", f"Disallow: {FORBIDDEN}", ""]
    sitemaps = [path if robots.flaw == "relative" else address(path) for path in robots.declared]
    if robots.flaw == "repeated":
        sitemaps += sitemaps[:1]
    lines += [f"Sitemap: {sitemap}" for sitemap in sitemaps]
    headers = _HTML if robots.flaw == "wrong-type" else _TEXT
    return Document(200, (headers,), "\n".join(lines).encode())


def file_document(file: WorldFile, address: Address) -> Document:
    """Return the response for a sitemap."""
    if file.flaw in UNREADABLE_FLAWS:
        html = "<!doctype html><title>No sitemap</title><p>Nothing."
        return Document(UNREADABLE_FLAWS[file.flaw], (_HTML,), html.encode())
    if file.format == "text":
        text = "\n".join(entry.loc(address(entry.path)) for entry in file.listed)
        return Document(200, (_HTML if file.flaw == "wrong-type" else _TEXT,), text.encode())
    body = _xml(file, address).encode()
    if file.flaw == "wrong-type":
        return Document(200, (_TEXT,), body)
    if file.format.endswith(".gz"):
        return Document(200, (_GZIP,), gzip.compress(body, 1))
    return Document(200, (_XML,), body)


def _xml(file: WorldFile, address: Address) -> str:
    namespace = "" if file.flaw == "no-namespace" else _NAMESPACE
    if file.format == "index":
        children = (f"<sitemap><loc>{address(each)}</loc></sitemap>" for each in file.children)
        return f"<sitemapindex {namespace}>{''.join(children)}</sitemapindex>"
    urls = [escape(entry.loc(address(entry.path))) for entry in file.listed]
    if file.format == "rss":
        items = "".join(f"<item><link>{url}</link></item>" for url in urls)
        return f'<rss version="2.0"><channel>{items}</channel></rss>'
    if file.format == "atom":
        items = "".join(f'<entry><link href="{url}"/></entry>' for url in urls)
        return f'<feed xmlns="http://www.w3.org/2005/Atom">{items}</feed>'
    start = {"doctype": "<!DOCTYPE urlset>", "leading": '\n<?xml version="1.0"?>'}
    items = "".join(_url(entry, address, file.flaw) for entry in file.listed[: file.whole])
    end = "<url><loc>" if file.whole else "</urlset>"
    return f"{start.get(file.flaw, '')}<urlset {namespace}>{items}{end}"


def _url(entry: WorldEntry, address: Address, flaw: str) -> str:
    loc = f"<loc>{escape(entry.loc(address(entry.path)))}</loc>"
    others = "".join(
        f"<{name}>{value}</{name}>"
        for name in ("lastmod", "changefreq", "priority")
        if (value := getattr(entry, name)) is not None
    )
    return f"<url>{others}{loc}</url>" if flaw == "unordered" else f"<url>{loc}{others}</url>"


def page_document(page: WorldPage, address: Address, tag: str | None) -> Document:
    """Return the response for a page, to a request with an ETag."""
    if page.kind is Kind.MOVED and page.status != HTTPStatus.OK:
        if page.target is None:
            return Document(page.status, ())
        location = address(page.target).removeprefix(address(""))
        return Document(page.status, (("Location", location),))
    if page.kind is Kind.ARCHIVE:
        return Document(200, (_ZIP,), b"PK\x03\x04")
    if page.status != HTTPStatus.OK:
        return Document(page.status, (_HTML,), b"<title>Error</title>")
    if page.kind is Kind.EMPTY:
        return Document(200, (_HTML,), _NOT_FOUND.encode() if page.variant == "title" else b"")
    own = ("ETag", f'"{page.version}"')
    if tag == own[1]:
        return Document(304, (own,))
    if media_type := FILES.get(page.variant):
        return Document(200, (("Content-Type", media_type),), b"\x89PNG or PDF")
    return Document(200, (*_headers(page, address), own), _html(page, address).encode())


def _headers(page: WorldPage, address: Address) -> list[tuple[str, str]]:
    headers = [] if page.variant == "untyped" else [_HTML]
    if page.variant == "header" and page.kind is Kind.HIDDEN:
        headers.append(("X-Robots-Tag", "noindex"))
    if page.variant == "header" and page.kind is Kind.COPY:
        headers.append(("Link", f'<{address(page.target or "")}>; rel="canonical"'))
    return headers


def _html(page: WorldPage, address: Address) -> str:
    head = f"<title>{escape(page.path)} {page.version}</title>"
    if page.kind is Kind.MOVED or page.variant == "later":
        delay = 5 if page.variant == "later" else 0
        target = escape(address(page.target or ""))
        head += f'<meta http-equiv="refresh" content="{delay}; url={target}">'
    canonical = page.canonical
    if canonical and not (page.kind is Kind.COPY and page.variant == "header"):
        href = canonical if page.is_relative else address(canonical)
        head += f'<link rel="canonical" href="{escape(href)}">'
    agent = page.variant if page.variant in ("googlebot", "bingbot") else "robots"
    if agent == "bingbot" or (page.kind is Kind.HIDDEN and page.variant != "header"):
        token = "none" if page.variant == "none" else "noindex"
        head += f'<meta name="{agent}" content="{token}">'
    links = "".join(f'<a href="{escape(address(each))}">x</a>' for each in page.links)
    text = f"The text of {escape(page.path)} in version {page.version}, unlike all others."
    body = _alike(address("")) if page.variant == "alike" else text
    return f"<html><head>{head}</head><body><nav>{links}</nav><p>{body}</p></body></html>"


def _alike(origin: str) -> str:
    """Return the text of the pages of a website that are alike, unlike those of others."""
    dice = random.Random(origin)
    return " ".join("".join(dice.choices(ascii_lowercase, k=7)) for _ in range(60))
