"""The signals that an audit adds to those of Scrapy."""

from typing import Final

audit_finished: Final = object()
"""The run folder is complete.

Sent with ``run`` (Path), ``manifest``, and ``summary`` (for Rich; None if it failed).
"""
