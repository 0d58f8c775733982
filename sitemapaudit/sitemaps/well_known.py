"""The addresses at which sitemaps usually are."""

from __future__ import annotations

from typing import Final

WELL_KNOWN: Final = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/sitemap-index.xml",
    "/sitemap.xml.gz",
    "/sitemap_index.xml.gz",
    "/sitemapindex.xml",
    "/sitemap/sitemap.xml",
    "/sitemap/index.xml",
    "/sitemap/sitemap-index.xml",
    "/sitemaps.xml",
    "/sitemaps/sitemap.xml",
    "/sitemap1.xml",
    "/wp-sitemap.xml",
    "/sitemap_news.xml",
    "/sitemap.txt",
    "/sitemap.php",
    "/rss.xml",
    "/feed.xml",
    "/atom.xml",
)
"""Where a sitemap may be that robots.txt does not declare; tried in this order, until one is."""
