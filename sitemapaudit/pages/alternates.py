"""hreflang alternates of a page: its tags and its ``Link`` headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitemapaudit import urls
from sitemapaudit.items import Alternate
from sitemapaudit.languages import fault_of
from sitemapaudit.pages.html import Html
from sitemapaudit.pages.links import Link


def alternates_of_html(html: Html, base: str) -> Iterator[Alternate]:
    """Read ``<link rel=alternate hreflang=…>`` of the head."""
    for link in html.links:
        code = link.get("hreflang")
        if link.in_head and code is not None and "alternate" in link.relations:
            yield _alternate("tag", code, link.get("href"), base)


def alternates_of_header(links: Iterable[Link], page_url: str) -> Iterator[Alternate]:
    """Read ``Link: <…>; rel="alternate"; hreflang="…"``."""
    for link in links:
        code = link.parameters.get("hreflang")
        if code is not None and "alternate" in link.relations:
            yield _alternate("header", code, link.target, page_url)


def _alternate(source: str, code: str, href: str | None, base: str) -> Alternate:
    url = urls.normalise(href.strip(), base) if href and href.strip() else None
    language = code.strip()
    fault = fault_of(language) if language else None
    return Alternate(source, "alternate", language, href, url, fault)
