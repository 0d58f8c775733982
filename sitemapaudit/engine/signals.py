"""The signals that an audit adds to those of Scrapy."""

from typing import Final

fetching_finished: Final = object()
"""Everything is fetched; a pipeline can still process items.

Sent without values, and its receivers are awaited.
"""

machine_failed: Final = object()
"""This machine cannot continue the audit.

Sent with ``fault`` (MachineFault).
"""

responses_doubted: Final = object()
"""A server sent more responses than it got requests.

Sent with ``urls``, whose responses can belong to other requests.
"""

audit_finished: Final = object()
"""The run folder is complete.

Sent with ``run`` (Path), ``manifest``, and ``summary`` (for Rich; None if it failed).
"""
