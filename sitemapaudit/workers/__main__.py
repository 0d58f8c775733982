"""The program of a worker."""

from __future__ import annotations

import logging
import os
import pickle
import signal
from typing import NoReturn

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from sitemapaudit.ending import end_process
from sitemapaudit.garbage import collect_less
from sitemapaudit.redaction import RedactedLogRecord
from sitemapaudit.workers.connection import Connection
from sitemapaudit.workers.cores import take_long_turns
from sitemapaudit.workers.messages import Job, Logged
from sitemapaudit.workers.page_worker import PageWorker

_STDIN, _STDOUT, _STDERR = range(3)


class _LogHandler(logging.Handler):
    """Sends what is logged to the main process."""

    def __init__(self, connection: Connection, level: int) -> None:
        super().__init__(level)
        self._connection = connection

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record as it would be printed."""
        self._connection.send(Logged(record.name, record.levelno, self.format(record)))


def main() -> NoReturn:
    """Fetch pages for the main process, until it ends or ends this one."""
    # Ctrl-C reaches all processes of a terminal: the main one decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    connection = Connection(os.dup(_STDIN), os.dup(_STDOUT))
    os.dup2(_STDERR, _STDOUT)  # What anything else prints is no answer.
    job: Job = pickle.loads(connection.read_job())  # noqa: S301 - from the main process
    logging.setLogRecordFactory(RedactedLogRecord)
    process = AsyncCrawlerProcess(job.settings)
    _forward_log(connection, job.settings)
    process.crawl(PageWorker, job=job, connection=connection)
    collect_less()
    take_long_turns()
    process.start(install_signal_handlers=False)
    end_process(0)


def _forward_log(connection: Connection, settings: Settings) -> None:
    level = settings["LOG_LEVEL"]
    number = level if isinstance(level, int) else logging.getLevelNamesMapping()[level]
    # What Scrapy tells of a run at level INFO is not worth telling once more for each worker.
    shown = number if number < logging.INFO else logging.WARNING
    for name in ("", "scrapy"):
        logging.getLogger(name).setLevel(shown)
    logging.getLogger().addHandler(_LogHandler(connection, shown))


if __name__ == "__main__":
    main()
