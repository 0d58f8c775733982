"""Scrapy's cookies, imported only if they are on: by default, each page gets a first visit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.downloadermiddlewares.cookies import CookiesMiddleware


class Cookies:
    """Stands for Scrapy's middleware, which takes 50 milliseconds to import."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CookiesMiddleware:
        """Create Scrapy's middleware; raises NotConfigured without COOKIES_ENABLED."""
        if not crawler.settings.getbool("COOKIES_ENABLED"):
            raise NotConfigured
        from scrapy.downloadermiddlewares.cookies import CookiesMiddleware  # noqa: PLC0415

        return CookiesMiddleware.from_crawler(crawler)
