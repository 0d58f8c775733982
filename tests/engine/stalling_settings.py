"""The project's settings, and an extension that keeps the event loop busy."""

import time
from typing import Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response as ScrapyResponse

from sitemapaudit.settings import *  # noqa: F403

SECONDS = 2


class Stall:
    """Works for a while when the page ``/hold`` was received."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        crawler.signals.connect(extension.work, signal=signals.response_received)
        return extension

    def work(self, response: ScrapyResponse) -> None:
        if response.url.endswith("/hold"):
            time.sleep(SECONDS)


EXTENSIONS = {"tests.engine.stalling_settings.Stall": 0}
