"""The jobs of the child processes of a run."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct
from scrapy.settings import BaseSettings, Settings

from sitemapaudit.config import Config
from sitemapaudit.crawling.revalidation import Reuse
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.workers.messages import ReadingJob

_OFF: Final[Mapping[str, Any]] = {
    "EXTENSIONS": {},
    "EXTENSIONS_BASE": {},
    "ITEM_PIPELINES": {},
    "ITEM_PIPELINES_BASE": {},
    # Scrapy would import the spiders, and with them DuckDB.
    "SPIDER_MODULES": [],
    "LOG_ENABLED": False,
    "LOG_INSTALL_ROOT_HANDLER": False,
    "STATS_DUMP": False,
}
"""Components that only the main process has, for the whole run."""

_SHARED: Final = ("CONCURRENT_REQUESTS_PER_DOMAIN", "SCRAPER_SLOT_MAX_ACTIVE_SIZE")
"""Settings that apply to all workers together."""


_IN_FLIGHT: Final = "CONCURRENT_REQUESTS"


def requests_of_workers(settings: BaseSettings) -> int:
    """Return how many requests all workers may have in flight; 0 means no limit.

    The main process keeps one at least: CONCURRENT_REQUESTS applies to all processes together. Most
    sites are one host, whose requests are those of the workers.
    """
    in_all = settings.getint(_IN_FLIGHT)
    of_host = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    return min(in_all - 1, max(of_host, in_all * 3 // 4)) if in_all else 0


class Job(Struct, frozen=True):
    """The data that a worker needs before its first URL.

    ``addresses`` knows what the names of the audited hosts meant when the run began. ``reuse`` is
    the part of an earlier run to revalidate.
    """

    settings: Settings
    config: Config
    addresses: AddressPolicy
    reuse: Reuse | None = None


def new_job(
    settings: BaseSettings,
    config: Config,
    addresses: AddressPolicy,
    workers: int,
    reuse: Reuse | None,
) -> Job:
    """Return the job of each of the ``workers``."""
    own = Settings()
    own.update(settings)
    own.setdict(_OFF, priority="cmdline")
    for name in _SHARED:
        own.set(name, max(1, own.getint(name) // workers), "cmdline")
    share = requests_of_workers(settings)
    own.set(_IN_FLIGHT, share // workers, "cmdline")
    return Job(own, config, addresses, reuse)


def new_reading_job(config: Config, log_level: str | int) -> ReadingJob:
    """Return the job of each process that reads sitemaps."""
    settings = config.settings
    return ReadingJob(
        settings.rules, settings.rule_options, settings.rule_modules, config.staging, log_level
    )
