"""The program of a worker."""

import pickle
from typing import Final, NoReturn

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from sitemapaudit.ending import end_process
from sitemapaudit.engine import crawl_settings
from sitemapaudit.garbage import reduce_collections
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.workers.connection import Connection
from sitemapaudit.workers.cores import schedule_as_batch
from sitemapaudit.workers.job import Job
from sitemapaudit.workers.log_forwarding import forward_log, level_of_workers
from sitemapaudit.workers.page_worker import PageWorker

_COMPONENTS: Final = (
    "DOWNLOADER",
    "DUPEFILTER_CLASS",
    "LOG_FORMATTER",
    "SCHEDULER",
    "SCHEDULER_MEMORY_QUEUE",
    "SCHEDULER_PRIORITY_QUEUE",
    "STATS_CLASS",
)
"""Settings whose components every worker needs."""


def prepare() -> None:
    """Import what workers need: the rules, and the components of an audit."""
    catalog()
    settings = Settings()
    settings.setmodule(crawl_settings)
    middlewares = build_component_list(settings.getwithbase("DOWNLOADER_MIDDLEWARES"))
    for component in (*(settings[name] for name in _COMPONENTS), *middlewares):
        load_object(component)


def main(orders: int, answers: int) -> NoReturn:
    """Fetch pages until the main process ends, or ends this one."""
    connection = Connection(orders, answers)
    job: Job = pickle.loads(connection.read_job())  # noqa: S301 - from the main process
    process = AsyncCrawlerProcess(job.settings)
    forward_log(connection.send, level_of_workers(job.settings["LOG_LEVEL"]), "scrapy")
    process.crawl(PageWorker, job=job, connection=connection)
    reduce_collections()
    schedule_as_batch()
    process.start(install_signal_handlers=False)
    end_process(0)
