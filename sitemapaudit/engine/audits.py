"""The parts of a project that belong to audits alone, and not to its other spiders."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES, default_settings

from sitemapaudit.config import Config
from sitemapaudit.engine.event_loop import choose_event_loop
from sitemapaudit.engine.optional_middlewares import add_optional_middlewares
from sitemapaudit.engine.requests import choose_downloader
from sitemapaudit.engine.speeds import SPEEDS
from sitemapaudit.redaction import RedactedLogRecord

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

_BASES: Final = ("EXTENSIONS_BASE", "ITEM_PIPELINES_BASE", "DOWNLOADER_MIDDLEWARES_BASE")
_HANDLERS: Final = "DOWNLOAD_HANDLERS"
_MODULE: Final = "sitemapaudit.engine.crawl_settings"


def apply_crawl_settings(settings: BaseSettings) -> None:
    """Apply the settings of an audit, below those of its project, and then AUDIT_SPEED."""
    # Scrapy logs from now on, beginning with the settings.
    logging.setLogRecordFactory(RedactedLogRecord)
    added = {name: _added_to(settings, name) for name in _BASES}
    settings.setmodule(_MODULE, priority="addon")
    for name, components in added.items():
        settings.set(name, {**settings.getdict(name), **components}, "spider")
    _set_handlers(settings)
    settings.setdict(SPEEDS.get(settings.get("AUDIT_SPEED"), {}), priority="spider")
    add_optional_middlewares(settings)
    choose_downloader(settings)
    choose_event_loop(settings)


def _added_to(settings: BaseSettings, name: str) -> dict[str, Any]:
    """Return the components that a platform added to those of Scrapy, as Scrapy Cloud does."""
    usual = getattr(default_settings, name)
    return {
        component: order
        for component, order in settings.getdict(name).items()
        if component not in usual and not component.startswith("sitemapaudit.")
    }


def _set_handlers(settings: BaseSettings) -> None:
    """Use our handlers where the project has none.

    Without a reactor, Scrapy replaces those of the base later.
    """
    ours, given = settings.getdict(f"{_HANDLERS}_BASE"), settings.getdict(_HANDLERS)
    priority = max(settings.getpriority(_HANDLERS) or 0, SETTINGS_PRIORITIES["spider"])
    settings.set(_HANDLERS, {**ours, **given}, priority)


def config_of(crawler: Crawler) -> Config:
    """Return the configuration of an audit. Raises NotConfigured for any other spider."""
    config = getattr(crawler.spider, "config", None)
    if not isinstance(config, Config):
        raise NotConfigured
    return config
