"""Scrapy's feeds, if the user enabled any: with ``-o``, ``-O`` or FEEDS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from sitemapaudit.engine.audits import config_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.extensions.feed_exporter import AuditFeedExporter


class Feeds:
    """Creates the exporter of feeds; without feeds, its modules are not imported."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> AuditFeedExporter:
        """Return the exporter. Raises NotConfigured without feeds, or without an audit."""
        config_of(crawler)
        if not crawler.settings["FEEDS"] and not crawler.settings["FEED_URI"]:
            raise NotConfigured
        from sitemapaudit.extensions.feed_exporter import AuditFeedExporter  # noqa: PLC0415

        return AuditFeedExporter.from_crawler(crawler)
