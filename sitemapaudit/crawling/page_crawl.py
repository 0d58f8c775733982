"""Pages: from the URL to its row, its rendering and its follow-ups."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from sitemapaudit.config import Config
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.fetches import Fetches
from sitemapaudit.crawling.follow_ups import FollowUps
from sitemapaudit.crawling.frontier import Actions, Frontier, unfetched_page
from sitemapaudit.crawling.handover import Handover
from sitemapaudit.crawling.page_fetcher import PageFetcher, ReadPage
from sitemapaudit.crawling.rechecks import Rechecks
from sitemapaudit.crawling.revalidation import Distrust
from sitemapaudit.crawling.selection import Selection
from sitemapaudit.crawling.worker_hook import AnsweredTask, Answers, PageWorkers
from sitemapaudit.fetching.pace import Pace
from sitemapaudit.hosts.agent_comparison import AgentComparison
from sitemapaudit.hosts.host_slots import HostSlots
from sitemapaudit.hosts.hosts import Hosts, robots_url
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, RecheckedPage, Role
from sitemapaudit.runs.link_log import LinkRecord
from sitemapaudit.runs.records import LinkedPage, PageRecords

if TYPE_CHECKING:
    from scrapy.http import Response as ScrapyResponse

    from sitemapaudit.crawling.rendering_hook import PageRenderer


class PageCrawl:
    """Fetches pages, reads them, and follows what they lead to.

    ``renderer`` opens pages in a browser; None if nothing is rendered. ``workers`` fetch and read
    pages in other processes; None if there is only this one.
    """

    def __init__(
        self,
        config: Config,
        hosts: Hosts,
        pages: PageFetcher,
        pace: Pace,
        renderer: PageRenderer | None,
        comparison: AgentComparison,
        workers: PageWorkers | None,
    ) -> None:
        actions = Actions(
            self._start_page, self._start_robots, self._outputs_of_kept, unfetched_page
        )
        fetcher = pages.fetcher
        settings = fetcher.crawler.settings
        self._workers = workers
        self._in_flight = settings.getint("CONCURRENT_REQUESTS") or sys.maxsize
        slots: HostSlots[FetchTask | str] = HostSlots(
            self._max_in_flight_in_all, self._max_in_flight
        )
        self.frontier = Frontier(hosts, fetcher.files, slots, actions)
        self._handover: Handover | None = None
        if workers is not None:
            workers.connect(Answers(self._settle, self._fetch_here, self._fetch_lost))
            self._handover = Handover(workers, pace, self._fetch_here)
        self._pace = pace
        self.selection = Selection(config, hosts)
        self._follow_ups = FollowUps(config, hosts)
        self.rechecks = Rechecks(enabled=config.rechecks)
        self._hosts = hosts
        self._fetcher = fetcher
        self._pages = pages
        self._fetches = Fetches(fetcher.crawler)
        self._renderer = renderer
        self._comparison = comparison

    @property
    def distrust(self) -> Distrust | None:
        """Which hosts are not believed; None if nothing is reused."""
        return self._pages.distrust

    @property
    def is_idle(self) -> bool:
        """Whether nothing is in flight: only then nothing can follow."""
        return self._fetches.is_idle and (self._workers is None or self._workers.is_idle)

    def close(self) -> None:
        """Read no more pages."""
        self._pages.close()

    def restore(self, page: Page, steps: int) -> None:
        """Take over a page that was fetched before the run was resumed."""
        if isinstance(page, RecheckedPage):
            self.rechecks.restore(page)
        else:
            self.rechecks.add(page, steps)
            if self.distrust is not None:
                self.distrust.note(page)
        self.selection.restore(page)
        self._follow_ups.restore(page)
        if self._renderer is not None:
            self._renderer.choose(page)

    def follow(self, page: Page, steps: int) -> Iterator[Any]:
        """Fetch what a page leads to; it is so many steps from a listed page."""
        for task in self._follow_ups.of(page, steps):
            if self.selection.select_target(task):
                yield from self.frontier.fetch(task)

    def select(self, tasks: Iterable[FetchTask]) -> Iterator[FetchTask]:
        """Yield the tasks whose URLs were not selected before."""
        return filter(self.selection.select_target, tasks)

    def _start_page(self, task: FetchTask) -> None:
        if task.role is Role.LISTED:
            self._comparison.expect(task.url)
        if not self._hand_over(task):
            self._fetch_here(task)

    def _hand_over(self, task: FetchTask) -> bool:
        if self._handover is None or not self._fetches.are_accepted:
            return False
        return self._handover.hand_over(task, self.frontier.waiting)

    def _fetch_here(
        self, task: FetchTask, refused: ScrapyResponse | None = None, retries: int = 0
    ) -> None:
        self._fetches.start(self._fetch_page(task, refused, retries))

    async def _fetch_page(
        self, task: FetchTask, refused: ScrapyResponse | None = None, retries: int = 0
    ) -> None:
        """Fetch and read a page. Its row is written before the next request takes its slot."""
        counted = self._handover.fetching(task) if self._handover else nullcontext()
        try:
            with counted:
                response, read = await self._pages.fetch(task, refused, retries)
            page = read.page
            await self._fetches.process(self._outputs(read, task))
        finally:
            self.frontier.page_arrived(task)
        if task.for_others:
            return
        if page.role is Role.LISTED:
            await self._comparison.of_page(page)
        if self._renderer is not None and task.first is None:
            await self._fetches.process(self._renderer.render(response, page))

    async def _settle(self, answered: Sequence[AnsweredTask]) -> None:
        """Do with the pages of a worker what ``_fetch_page`` does with its own."""
        caught, process = self._fetches.caught, self._fetches.process
        with caught:
            await process(iter((PageRecords([record for _, record in answered if record]),)))
        for task, record in answered:
            with caught:
                if record is not None:
                    await process(self._note(record.item, task))
            self.frontier.page_arrived(task)
        for task, record in answered:
            with caught:
                if record is not None and task.role is Role.LISTED:
                    await self._comparison.of_page(record.item)

    def _note(self, page: Page, task: FetchTask) -> Iterator[Any]:
        """Take note of a page that is written; yield what follows."""
        if self.distrust is not None:
            self.distrust.note(page)
        self.rechecks.add(page, task.steps)
        yield from self.follow(page, task.steps)

    def _fetch_lost(self, tasks: Sequence[FetchTask]) -> None:
        for task in tasks:
            self._fetch_here(task)

    def _max_in_flight_in_all(self) -> int:
        return self._in_flight + (self._handover.room() if self._handover else 0)

    def _max_in_flight(self, host: str) -> int:
        if self._pages.is_full:
            return 0
        return self._pace.max_in_flight(host) + (self._handover.room(host) if self._handover else 0)

    def _start_robots(self, origin: str) -> None:
        self._fetches.start(self._fetch_robots(origin))

    async def _fetch_robots(self, origin: str) -> None:
        """Fetch and read a robots.txt, and then what waited for it."""
        response = await self._fetcher.fetch_file(self._fetcher.robots_request(robots_url(origin)))
        robots = await self._hosts.open(origin, response)
        if robots is not None:
            await self._fetches.process(iter((robots,)))
        await self._fetches.process(self.frontier.robots_arrived(origin))

    def _outputs_of_kept(self, response: Response, task: FetchTask) -> Iterator[Any] | None:
        """Read the response of a file whose URL is also a page; None if its body is large."""
        read = self._pages.read_small(response, task)
        return self._outputs(read, task) if read else None

    def _outputs(self, read: ReadPage, task: FetchTask) -> Iterator[Any]:
        """Yield a page, and what follows."""
        page = read.page
        if task.for_others:
            yield page
            return
        if task.first is not None and not self.rechecks.settle(page, task.first):
            return
        if self._renderer is not None:
            self._renderer.choose(page)
        if task.first is None:
            self.rechecks.add(page, task.steps)
        if read.links is not None:
            yield LinkedPage(page, LinkRecord.of(read.links))
        else:
            yield page
        yield from self.follow(page, task.steps)
