"""The demo shop a week later, and the findings that a comparison must report.

- Every product has a new lastmod but the same text.
- The guides have new texts but the same lastmods, and there are fewer of them.
- The sitemap index no longer lists the offers.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from sitemapaudit.demo.documents import entry, own_lastmod, page, prose
from sitemapaudit.demo.server import Reply

PRODUCTS: Final = 150
GUIDES: Final = 36
OFFERS: Final = 3

SHARED: Final = 5
"""The product that a second sitemap lists too. Its lastmod stays, so that both files agree."""

_REMAINING_GUIDES: Final = 24
_WEEK: Final = timedelta(days=7)

PRODUCTS_FILE: Final = "/sitemaps/products.xml"
GUIDES_FILE: Final = "/sitemaps/guides.xml"
OFFERS_FILE: Final = "/sitemaps/offers.xml"

EXPECTED: Final = (
    ("lastmod-untrue", PRODUCTS_FILE),
    ("lastmod-untrue", GUIDES_FILE),
    ("sitemap-changed-sharply", GUIDES_FILE),
    ("sitemap-changed-sharply", OFFERS_FILE),
)
"""The findings that only a comparison of both weeks reports: rule and path of the sitemap."""


def products(shop: str, *, later: bool) -> list[str]:
    """Return the entries of the products."""
    priority = "<priority>0.5</priority>"
    entries = []
    for number in range(1, PRODUCTS + 1):
        loc = f"{shop}/product/{number}"
        shift = _WEEK if later and number != SHARED else timedelta()
        entries.append(entry(loc, own_lastmod(loc) + shift, priority))
    return entries


def guides(shop: str, *, later: bool) -> list[str]:
    """Return the entries of the guides."""
    count = _REMAINING_GUIDES if later else GUIDES
    return [entry(f"{shop}/guide/{number}") for number in range(1, count + 1)]


def offers(shop: str) -> list[str]:
    """Return the entries of the offers."""
    return [entry(f"{shop}/offer/{number}") for number in range(1, OFFERS + 1)]


def pages(shop: str, *, later: bool) -> Iterator[tuple[str, Reply]]:
    """Yield the path and reply of every product, guide and offer."""
    for kind, count in (("product", PRODUCTS), ("guide", GUIDES), ("offer", OFFERS)):
        for number in range(1, count + 1):
            path, title = f"/{kind}/{number}", f"{kind.capitalize()} {number}"
            text = prose(f"{title}, revised") if later and kind == "guide" else None
            yield path, page(title, canonical=shop + path, text=text)
