"""The child processes of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapaudit.config import Config
from sitemapaudit.crawling.revalidation import Reuse
from sitemapaudit.engine.speeds import FULL
from sitemapaudit.workers.cores import max_workers

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.fetching.address_policy import AddressPolicy
    from sitemapaudit.workers.pool import WorkerPool
    from sitemapaudit.workers.reader_pool import ReaderPool


def new_reader_pool(crawler: Crawler, config: Config) -> ReaderPool | None:
    """Return processes that read sitemaps; None if this process needs the entries."""
    count = _processes(config)
    if count == 1 or config.selects_pages:
        return None
    # Few sites are so large.
    from sitemapaudit.workers.job import new_reading_job  # noqa: PLC0415
    from sitemapaudit.workers.reader_pool import ReaderPool  # noqa: PLC0415

    job = new_reading_job(config, crawler.settings["LOG_LEVEL"])
    return ReaderPool(crawler, job, count, at_once=config.arguments.workers is not None)


def new_worker_pool(
    crawler: Crawler, config: Config, addresses: AddressPolicy, reuse: Reuse | None
) -> WorkerPool | None:
    """Return processes that fetch and read pages; None without processors or requests for them."""
    # Each worker can send at least one request to a host.
    most = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
    count = min(_processes(config), most)
    if count == 1 or config.renders:
        return None
    # Few sites are so large.
    from sitemapaudit.workers.job import new_job, requests_of_workers  # noqa: PLC0415
    from sitemapaudit.workers.pool import WorkerPool  # noqa: PLC0415

    if crawler.settings.getint("CONCURRENT_REQUESTS"):
        count = min(count, requests_of_workers(crawler.settings))
        if count <= 1:
            return None
    job = new_job(crawler.settings, config, addresses, count, reuse)
    return WorkerPool(crawler, job, count, at_once=config.arguments.workers is not None)


def _processes(config: Config) -> int:
    """Return how many processes may work for a run at the same time."""
    is_fast = config.settings.speed == FULL or config.arguments.folder is not None
    return config.arguments.workers or (max_workers() if is_fast else 1)
