"""Forwarding of the log of a child process to the main process."""

import logging
from collections.abc import Callable

import msgspec

from sitemapaudit.redaction import RedactedLogRecord


class Logged(msgspec.Struct, array_like=True, gc=False, tag=4):
    """A line for the log, with its traceback."""

    logger: str
    level: int
    text: str


class _LogHandler(logging.Handler):
    """Sends log records."""

    def __init__(self, send: Callable[[Logged], None], level: int) -> None:
        super().__init__(level)
        self._send = send

    def emit(self, record: logging.LogRecord) -> None:
        """Send a record, formatted."""
        self._send(Logged(record.name, record.levelno, self.format(record)))


def forward_log(send: Callable[[Logged], None], level: int, *loggers: str) -> None:
    """Send what is logged at ``level`` or above, also by these ``loggers``."""
    logging.setLogRecordFactory(RedactedLogRecord)
    for name in ("", *loggers):
        logging.getLogger(name).setLevel(level)
    logging.getLogger().addHandler(_LogHandler(send, level))


def level_of_workers(level: str | int) -> int:
    """Return the log level of workers in a run that has this level.

    What Scrapy logs about a run at level INFO is not worth repeating for each worker.
    """
    number = level if isinstance(level, int) else logging.getLevelNamesMapping()[level]
    return number if number < logging.INFO else logging.WARNING


def log_forwarded(logged: Logged) -> None:
    """Log what a child process sent."""
    logging.getLogger(logged.logger).log(logged.level, "%s", logged.text)
