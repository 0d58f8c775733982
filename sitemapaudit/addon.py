"""The add-on for Scrapy projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_MODULES: Final = "SPIDER_MODULES"
_SPIDERS: Final = "sitemapaudit.spiders"


class Addon:
    """Adds the spider of an audit to a project: ``ADDONS = {"sitemapaudit.Addon": 300}``.

    That spider applies its settings itself, below those of the project: nothing changes for other
    spiders. For the exit statuses of an audit, and for ``scrapy list`` and Scrapyd to see the
    spider, add ``COMMANDS_MODULE = "sitemapaudit.commands"``: Scrapy reads that setting before
    add-ons.
    """

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Add our spiders to those of the project."""
        known = settings.getlist(_MODULES)
        if _SPIDERS not in known:
            settings.set(_MODULES, [*known, _SPIDERS], settings.getpriority(_MODULES) or 0)
