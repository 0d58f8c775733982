"""Sends an alert about a finished audit to the addresses of AUDIT_NOTIFY."""

from pathlib import Path
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from sitemapaudit.alerts.sending import alert
from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.signals import audit_finished
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.urls.shard import WHOLE


class Alerts:
    """Sends what is new and what is fixed, when the results are built.

    A shard sends nothing: its results are only a part.
    """

    def __init__(self, crawler: Crawler, addresses: tuple[str, ...]) -> None:
        self._addresses = addresses
        crawler.signals.connect(self.finished, signal=audit_finished)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the extension. Raises NotConfigured without addresses, and for a shard."""
        config = config_of(crawler)
        if not config.settings.notify or config.arguments.shard != WHOLE:
            raise NotConfigured
        return cls(crawler, config.settings.notify)

    def finished(self, run: Path, manifest: Manifest, **_: Any) -> None:
        """Send the alert, unless the results are built later."""
        if not manifest.postponed:
            alert(run, manifest, self._addresses)
