"""The canonicals that a page declares, and which of them counts (RFC 6596; Google)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sitemapaudit import urls
from sitemapaudit.items import Canonical, Page
from sitemapaudit.pages.html import Html
from sitemapaudit.pages.links import Link

TAG: Final = "tag"
HEADER: Final = "header"
OUTSIDE_HEAD: Final = "outside-head"
EMPTY: Final = "empty"
UNPARSABLE: Final = "unparsable"
_IGNORED_WITH: Final = ("hreflang", "lang", "media", "type")


def canonicals_of_html(html: Html, base: str) -> Iterator[Canonical]:
    """Read ``<link rel=canonical>``; only those that the parser left in the head count."""
    for link in html.links:
        if "canonical" in link.relations:
            fault = _attribute_fault(link.attributes) or (None if link.in_head else OUTSIDE_HEAD)
            yield _canonical(TAG, link.get("href") or "", base, fault)


def canonicals_of_header(links: Iterable[Link], page_url: str) -> Iterator[Canonical]:
    """Read ``Link: <…>; rel="canonical"``, relative to the page (RFC 8288 section 3.1)."""
    for link in links:
        if "canonical" in link.relations:
            yield _canonical(HEADER, link.target, page_url, _attribute_fault(link.parameters))


def settle(page: Page) -> None:
    """Set the one canonical that counts: none, if the usable ones point to different targets."""
    usable = [canonical for canonical in page.canonicals if canonical.fault is None]
    targets = {canonical.url for canonical in usable}
    if len(targets) != 1:
        return
    page.canonical = usable[0].url
    sources = {canonical.source for canonical in usable}
    page.canonical_source = sources.pop() if len(sources) == 1 else "both"


def _attribute_fault(attributes: Iterable[str]) -> str | None:
    return next((name for name in _IGNORED_WITH if name in attributes), None)


def _canonical(source: str, href: str, base: str, fault: str | None) -> Canonical:
    target = href.strip()
    url = urls.normalise(target, base) if target else None
    if fault is None and url is None:
        fault = UNPARSABLE if target else EMPTY
    return Canonical(source, href, url, fault)
