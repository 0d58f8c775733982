"""The logs of several audits in one process, kept apart by the context of their tasks."""

import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

_audit: Final[ContextVar[object]] = ContextVar("_audit", default=None)
"""The audit that logs, if there are several in this process."""


def log_apart() -> None:
    """Keep the log of the audit that begins now apart from those of others in this process.

    Call it in the task that runs the audit.
    """
    _audit.set(object())


def own_records() -> Callable[[logging.LogRecord], bool]:
    """Return a filter of the records of the audit that runs now."""
    audit = _audit.get()

    def is_own(_: logging.LogRecord) -> bool:
        return _audit.get() is audit

    return is_own
