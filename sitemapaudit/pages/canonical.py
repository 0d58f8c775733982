"""The canonicals that a page declares, and which one counts (RFC 6596; Google)."""

from collections.abc import Iterable, Iterator
from typing import Final

from sitemapaudit import urls
from sitemapaudit.caps import MAX_TEXT
from sitemapaudit.items import Canonical, Page
from sitemapaudit.pages.html import Html
from sitemapaudit.pages.link_header import Link

TAG: Final = "tag"
HEADER: Final = "header"
OUTSIDE_HEAD: Final = "outside-head"
EMPTY: Final = "empty"
UNPARSABLE: Final = "unparsable"
TOO_LONG: Final = "too-long"
_DISQUALIFIERS: Final = ("hreflang", "lang", "media", "type")


def read_html_canonicals(html: Html, base: str) -> Iterator[Canonical]:
    """Read each ``<link rel=canonical>``; only those that the parser left in the head count."""
    for link in html.links:
        if "canonical" in link.relations:
            attribute = _find_disqualifier(link.attributes)
            ignore_reason = attribute or (None if link.in_head else OUTSIDE_HEAD)
            yield _canonical(TAG, link.get("href") or "", base, ignore_reason, html.encoding)


def read_header_canonicals(links: Iterable[Link], page_url: str) -> Iterator[Canonical]:
    """Read each ``Link: <…>; rel="canonical"``, relative to the page (RFC 8288 section 3.1)."""
    for link in links:
        if "canonical" in link.relations:
            yield _canonical(HEADER, link.target, page_url, _find_disqualifier(link.parameters))


def choose_canonical(page: Page) -> None:
    """Set the canonical that counts; none if the usable ones point to different targets."""
    usable = [canonical for canonical in page.canonicals if canonical.ignore_reason is None]
    targets = {canonical.url for canonical in usable}
    if len(targets) != 1:
        return
    page.canonical = usable[0].url
    sources = {canonical.source for canonical in usable}
    page.canonical_source = sources.pop() if len(sources) == 1 else "both"


def _find_disqualifier(attributes: Iterable[str]) -> str | None:
    return next((name for name in _DISQUALIFIERS if name in attributes), None)


def _canonical(
    source: str, href: str, base: str, ignore_reason: str | None, encoding: str = ""
) -> Canonical:
    target = href.strip()
    url = urls.normalize(target, base, encoding) if target else None
    if ignore_reason is None and url is None:
        unusable = TOO_LONG if len(target) > MAX_TEXT or not base else UNPARSABLE
        ignore_reason = unusable if target else EMPTY
    return Canonical(source, href, url, ignore_reason)
