"""Scrapy's download handler with a limit on response headers, which sends each request once.

The body is limited by whoever requests it. Scrapy asks nobody before the body begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler

from sitemapaudit.crawling.private_api import limit_response_heads, send_once

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class HttpHandler(HTTP11DownloadHandler):
    """Downloads http and https URLs."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        limit_response_heads(self)
        send_once(self)
