"""Audits of many sites in one process and one event loop, each with its run folder."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from scrapy.crawler import AsyncCrawlerProcess, AsyncCrawlerRunner
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.project import get_project_settings

from sitemapaudit.cli.command import INCOMPLETE
from sitemapaudit.cli.fleet import report_fleet
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.components import check_components, check_stats
from sitemapaudit.config.scrapy_settings import (
    check_names,
    check_types,
    set_settings,
)
from sitemapaudit.datasets.database import share_database
from sitemapaudit.engine.audit_logs import log_apart
from sitemapaudit.output import say
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.runs import stats
from sitemapaudit.scheduling.site_list import ENDINGS
from sitemapaudit.spiders.sitemap import SitemapSpider

if TYPE_CHECKING:
    from sitemapaudit.scheduling.site_list import ListedSite

_STOPS: Final = (signal.SIGINT, signal.SIGTERM)
_ALONE: Final = {"sitemapaudit.extensions.progress.Progress": None}
"""Extensions that a process has for one audit only."""

logger = logging.getLogger(__name__)


def audit_sites(
    sites: Sequence[ListedSite],
    at_once: int,
    project: Mapping[str, Any],
    typed: Mapping[str, Any],
) -> int:
    """Audit sites, at most ``at_once`` at a time; write the page of the fleet.

    ``project`` and ``typed`` are settings of the configuration file and of the command line.
    Return the worst exit status. Raises ConfigError.
    """
    settings = get_project_settings()
    settings.set("LOG_LEVEL", "WARNING", "cmdline")
    set_settings(settings, {**project, **typed}, SETTINGS_PRIORITIES["cmdline"])
    check_names([*project, *typed], settings)
    check_types(settings)
    check_components(settings)
    check_stats(settings)
    settings.set("EXTENSIONS", {**settings.getdict("EXTENSIONS"), **_ALONE}, "cmdline")
    with share_database():
        statuses = _run(_Audits(sites, process := AsyncCrawlerProcess(settings)), process, at_once)
    folder = AuditSettings.from_scrapy(settings).dir
    if folder.exists() and (status := report_fleet(folder)):
        return status
    return max(statuses) if len(statuses) == len(sites) else INCOMPLETE


def _run(audits: _Audits, process: AsyncCrawlerProcess, at_once: int) -> list[int]:
    """Run audits in the reactor, without which no page could be rendered."""
    from twisted.internet import reactor  # noqa: PLC0415 - the process has installed it

    task = asyncio.get_event_loop().create_task(audits.run(at_once))
    stop: Callable[[], None] = cast("Any", reactor).stop
    task.add_done_callback(lambda _: stop())
    process.start(stop_after_crawl=False, install_signal_handlers=False)
    return task.result()


class _Audits:
    """The audits of some sites. A failure of one of them affects no other."""

    def __init__(self, sites: Sequence[ListedSite], runner: AsyncCrawlerRunner) -> None:
        self._sites = sites
        self._left: Iterator[ListedSite] = iter(sites)
        self._runner = runner
        self._statuses: list[int] = []

    async def run(self, at_once: int) -> list[int]:
        """Run the audits, and return their exit statuses. A signal stops those that run."""
        loop = asyncio.get_running_loop()
        for number in _STOPS:
            loop.add_signal_handler(number, self._stop)
        await asyncio.gather(*(self._run_some() for _ in range(min(at_once, len(self._sites)))))
        return self._statuses

    def _stop(self) -> None:
        """Begin no other audit, and stop those that run; a second signal ends the process."""
        self._left = iter(())
        for number in _STOPS:
            asyncio.get_running_loop().remove_signal_handler(number)
        self._stopping = asyncio.ensure_future(self._runner.stop())

    async def _run_some(self) -> None:
        while (site := next(self._left, None)) is not None:
            log_apart()
            status = await self._audit(site)
            self._statuses.append(status)
            ending = ENDINGS.get(status, ENDINGS[None])
            say(hide_passwords(f"{site.name}  {ending}"))

    async def _audit(self, site: ListedSite) -> int:
        crawler = self._runner.create_crawler(SitemapSpider)
        try:
            await self._runner.crawl(crawler, **site.arguments)
            return int(crawler.stats.get_value(stats.EXIT_STATUS, INCOMPLETE))
        except Exception:
            logger.exception("The audit of %s failed", hide_passwords(site.name))
            return INCOMPLETE
