"""Interfaces to the layers above a crawl: processes that fetch pages, and a browser."""

from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol

from msgspec import Struct
from scrapy.http import Response as ScrapyResponse

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, Rendering, Robots
from sitemapaudit.runs.ledger.records import PageRecord, ReadItem

AnsweredTask = tuple[FetchTask, PageRecord | None]


class Answers(Struct, frozen=True):
    """Callbacks for the answers of workers, while their pages still count as in flight.

    ``done`` receives pages that arrived together, each with its record or None. ``refused``
    receives a response that asks to wait, and how often the page was requested before. ``lost``
    receives the tasks of a worker that ended before it answered.
    """

    done: Callable[[Sequence[AnsweredTask]], Coroutine[Any, Any, None]]
    refused: Callable[[FetchTask, ScrapyResponse, int], None]
    lost: Callable[[Sequence[FetchTask]], None]


class PageWorkers(Protocol):
    """Processes that fetch and read pages."""

    @property
    def queued(self) -> int:
        """The number of pages that should wait in the workers, so that none runs idle."""

    def connect(self, answers: Answers) -> None:
        """Use these callbacks from now on."""

    def are_ready(self, waiting: int) -> bool:
        """Return whether pages can be given to workers.

        ``waiting`` counts waiting pages: workers are started when these are enough.
        """

    def take(self, task: FetchTask) -> None:
        """Fetch a page, once workers are ready."""


RenderOutput = Rendering | Robots | ReadItem[Rendering]
"""A rendering, with its links if they are recorded, or a robots.txt that was read for it."""


class PageRenderer(Protocol):
    """Chooses pages and renders them."""

    def choose(self, page: Page) -> None:
        """Set the render reason of a page that was read, if it is chosen."""

    def take_sample(self, sample: AbstractSet[str]) -> None:
        """Set the URLs to render if ``render`` is a number."""

    def render(self, response: Response, page: Page) -> AsyncIterator[RenderOutput]:
        """Render a page if it is chosen; yield the rows that result."""
