"""The usual addresses of sitemaps."""

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
"""Paths to try if robots.txt declares no sitemap; in this order, until one is a sitemap."""
