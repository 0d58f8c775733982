"""The hreflang alternates of a page, from its tags and its ``Link`` headers.

Alternates of other types than HTML, such as feeds, and for other media, such as mobile pages, are
not versions in another language.
"""

from collections.abc import Iterable, Iterator, Mapping

from sitemapaudit import urls
from sitemapaudit.http.response import HTML_TYPES
from sitemapaudit.items import Alternate
from sitemapaudit.languages import find_code_error
from sitemapaudit.pages.html import Html, LinkElement
from sitemapaudit.pages.link_header import Link


def read_html_alternates(html: Html, base: str) -> Iterator[Alternate]:
    """Read each ``<link rel=alternate hreflang=…>`` in the head."""
    for link in _html_versions(html):
        if link.in_head:
            code, href = link.attributes["hreflang"] or "", link.get("href")
            yield _alternate("tag", code, href, base, html.encoding)


def count_outside_head(html: Html) -> int:
    """Return how many such elements are outside the head."""
    return sum(not link.in_head for link in _html_versions(html))


def _html_versions(html: Html) -> Iterator[LinkElement]:
    for link in html.links:
        attributes = link.attributes
        if "hreflang" in attributes and _is_version(link.relations, attributes):
            yield link


def read_header_alternates(links: Iterable[Link], page_url: str) -> Iterator[Alternate]:
    """Read each ``Link: <…>; rel="alternate"; hreflang="…"``."""
    for link in links:
        code = link.parameters.get("hreflang")
        if code is not None and _is_version(link.relations, link.parameters):
            yield _alternate("header", code, link.target, page_url)


def _is_version(relations: Iterable[str], attributes: Mapping[str, str | None]) -> bool:
    """Return whether a link is the same page in another language or for another region."""
    media_type = (attributes.get("type") or "").partition(";")[0].strip().lower()
    other_media = (attributes.get("media") or "").strip().lower() not in ("", "all")
    return "alternate" in relations and media_type in ("", *HTML_TYPES) and not other_media


def _alternate(
    source: str, code: str, href: str | None, base: str, encoding: str = ""
) -> Alternate:
    url = urls.normalize(href.strip(), base, encoding) if href and href.strip() else None
    language = code.strip()
    error = find_code_error(language) if language else None
    return Alternate(source, "alternate", language, href, url, error)
