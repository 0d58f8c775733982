"""The program of a worker."""

import os
import pickle
from typing import NoReturn

from scrapy.crawler import AsyncCrawlerProcess

from sitemapaudit.ending import end_process
from sitemapaudit.garbage import reduce_collections
from sitemapaudit.workers.connection import Connection
from sitemapaudit.workers.cores import schedule_as_batch
from sitemapaudit.workers.job import Job
from sitemapaudit.workers.log_forwarding import forward_log, level_of_workers
from sitemapaudit.workers.page_worker import PageWorker

_STDIN, _STDOUT, _STDERR = range(3)


def main() -> NoReturn:
    """Fetch pages until the main process ends, or ends this one."""
    connection = Connection(os.dup(_STDIN), os.dup(_STDOUT))
    os.dup2(_STDERR, _STDOUT)  # Other output is not an answer.
    job: Job = pickle.loads(connection.read_job())  # noqa: S301 - from the main process
    process = AsyncCrawlerProcess(job.settings)
    forward_log(connection.send, level_of_workers(job.settings["LOG_LEVEL"]), "scrapy")
    process.crawl(PageWorker, job=job, connection=connection)
    reduce_collections()
    schedule_as_batch()
    process.start(install_signal_handlers=False)
    end_process(0)
