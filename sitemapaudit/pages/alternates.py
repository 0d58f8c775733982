"""The hreflang alternates of a page, from its tags and its ``Link`` headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitemapaudit import urls
from sitemapaudit.items import Alternate
from sitemapaudit.languages import find_code_error
from sitemapaudit.pages.html import Html
from sitemapaudit.pages.link_header import Link


def read_html_alternates(html: Html, base: str) -> Iterator[Alternate]:
    """Read each ``<link rel=alternate hreflang=…>`` in the head."""
    for link in html.links:
        code = link.get("hreflang")
        if link.in_head and code is not None and "alternate" in link.relations:
            yield _alternate("tag", code, link.get("href"), base)


def read_header_alternates(links: Iterable[Link], page_url: str) -> Iterator[Alternate]:
    """Read each ``Link: <…>; rel="alternate"; hreflang="…"``."""
    for link in links:
        code = link.parameters.get("hreflang")
        if code is not None and "alternate" in link.relations:
            yield _alternate("header", code, link.target, page_url)


def _alternate(source: str, code: str, href: str | None, base: str) -> Alternate:
    url = urls.normalize(href.strip(), base) if href and href.strip() else None
    language = code.strip()
    error = find_code_error(language) if language else None
    return Alternate(source, "alternate", language, href, url, error)
