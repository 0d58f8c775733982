"""How a crawl gives pages to other processes; ``sitemapaudit.workers`` has them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

from msgspec import Struct
from scrapy.http import Response

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.runs.records import PageRecord

AnsweredTask = tuple[FetchTask, PageRecord | None]


class Answers(Struct, frozen=True):
    """What is called with the answers of workers, while their pages still count as in flight.

    ``done`` receives pages that arrived at the same time, with their records, or None for a page
    without one. ``refused`` receives a response that asks to wait, and how often the page was
    requested before. ``lost`` receives the tasks of a worker that ended before it answered.
    """

    done: Callable[[Sequence[AnsweredTask]], Coroutine[Any, Any, None]]
    refused: Callable[[FetchTask, Response, int], None]
    lost: Callable[[Sequence[FetchTask]], None]


class PageWorkers(Protocol):
    """Processes that fetch and read pages."""

    @property
    def is_idle(self) -> bool:
        """Whether no page is in flight."""

    @property
    def queued(self) -> int:
        """How many pages should wait in the workers, so that none of them waits for pages."""

    def connect(self, answers: Answers) -> None:
        """Call these from now on."""

    def are_ready(self, waiting: int) -> bool:
        """Return whether pages can be given to workers.

        ``waiting`` counts those that wait: workers are started when it pays.
        """

    def take(self, task: FetchTask) -> None:
        """Fetch a page, once workers are ready."""
