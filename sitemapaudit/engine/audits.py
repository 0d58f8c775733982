"""The parts of a project that belong to audits alone, and not to its other spiders."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import NotConfigured

from sitemapaudit.config import Config
from sitemapaudit.engine.event_loop import choose_event_loop
from sitemapaudit.engine.optional_middlewares import add_optional_middlewares
from sitemapaudit.engine.requests import choose_downloader
from sitemapaudit.engine.speeds import SPEEDS
from sitemapaudit.redaction import RedactedLogRecord

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

_MODULE: Final = "sitemapaudit.engine.crawl_settings"


def apply_crawl_settings(settings: BaseSettings) -> None:
    """Apply the settings of an audit, below those of its project, and then AUDIT_SPEED."""
    # Scrapy logs from now on, beginning with the settings.
    logging.setLogRecordFactory(RedactedLogRecord)
    settings.setmodule(_MODULE, priority="addon")
    settings.setdict(SPEEDS.get(settings.get("AUDIT_SPEED"), {}), priority="spider")
    add_optional_middlewares(settings)
    choose_downloader(settings)
    choose_event_loop(settings)


def config_of(crawler: Crawler) -> Config:
    """Return the configuration of an audit. Raises NotConfigured for any other spider."""
    config = getattr(crawler.spider, "config", None)
    if not isinstance(config, Config):
        raise NotConfigured
    return config
