"""Pages: from a URL to its row, its rendering and its follow-ups."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from scrapy.http import Response as ScrapyResponse

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.follow_ups import FollowUps
from sitemapaudit.crawling.frontier import Actions, Frontier, unfetched_page
from sitemapaudit.crawling.handover import Handover
from sitemapaudit.crawling.hooks import AnsweredTask, Answers, PageRenderer, PageWorkers
from sitemapaudit.crawling.page_fetcher import PageFetcher, ReadPage
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.rechecks import Rechecks
from sitemapaudit.crawling.selection import Selection
from sitemapaudit.hosts.host import Host, Origin
from sitemapaudit.hosts.slots import Slots
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, RecheckedPage, Role
from sitemapaudit.runs.ledger.link_log import LinkRecord
from sitemapaudit.runs.ledger.records import PageRecords, ReadItem


class PageCrawl:
    """Fetches pages, reads them, and fetches their follow-ups.

    ``renderer`` opens pages in a browser; None if nothing is rendered. ``workers`` fetch and read
    pages in other processes; None if there is only this one.
    """

    def __init__(
        self,
        parts: Parts,
        pages: PageFetcher,
        renderer: PageRenderer | None,
        workers: PageWorkers | None,
    ) -> None:
        config, hosts = parts.config, parts.hosts
        settings = pages.fetcher.crawler.settings
        self._in_flight = settings.getint("CONCURRENT_REQUESTS") or sys.maxsize
        slots: Slots[FetchTask | Origin] = Slots(self._max_in_flight_in_all, self._max_in_flight)
        actions = Actions(self._start_page, self._outputs_of_kept, unfetched_page)
        self.frontier = Frontier(hosts, parts.responses, parts.fetches, slots, actions)
        self.selection = Selection(config, hosts, parts.build)
        self.rechecks = Rechecks(enabled=config.rechecks)
        self._follow_ups = FollowUps(config, hosts)
        self._fetches = parts.fetches
        self._handover: Handover | None = None
        if workers is not None:
            workers.connect(Answers(self._process_answered, self._take_back, self._fetch_lost))
            self._handover = Handover(workers, parts.pace, self._fetches, self._fetch_here)
        self._pace = parts.pace
        self._hosts = hosts
        self._pages = pages
        self._renderer = renderer
        self._comparison = parts.comparison
        self._canonicals = parts.canonicals

    def close(self) -> None:
        """Stop reading pages."""
        self._pages.close()

    def restore(self, page: Page, steps: int) -> None:
        """Restore a page that was fetched before the run was resumed."""
        if isinstance(page, RecheckedPage):
            self.rechecks.restore(page)
        else:
            self.rechecks.add(page, steps)
        self._pages.note_revalidation(page)
        if page.role is Role.LISTED:
            self._comparison.expect(page.url)
        self.selection.restore(page)
        self._follow_ups.restore(page)
        if self._renderer is not None:
            self._renderer.choose(page)

    def follow(self, page: Page, steps: int) -> Iterator[Any]:
        """Fetch the follow-ups of a page that is ``steps`` away from a listed page."""
        if page.alternates:
            self.selection.has_alternates = True
        for task in self._follow_ups.of(page, steps):
            if self.selection.select_target(task):
                yield from self.frontier.fetch(task)

    def select(self, tasks: Iterable[FetchTask]) -> Iterator[FetchTask]:
        """Yield the tasks whose URLs are selected for the first time."""
        return filter(self.selection.select_target, tasks)

    def _start_page(self, task: FetchTask) -> None:
        if task.role is Role.LISTED:
            self._comparison.expect(task.url)
        if not self._hand_over(task):
            self._fetch_here(task)

    def _hand_over(self, task: FetchTask) -> bool:
        if self._handover is None or not self._fetches.are_accepted:
            return False
        host = self._hosts.origin_of(task.url).host
        return self._handover.hand_over(task, host, self.frontier.waiting)

    def _fetch_here(
        self, task: FetchTask, refused: ScrapyResponse | None = None, retries: int = 0
    ) -> None:
        self._fetches.start(self._fetch_page(task, refused, retries))

    async def _fetch_page(
        self, task: FetchTask, refused: ScrapyResponse | None = None, retries: int = 0
    ) -> None:
        """Fetch and read a page. Its row is written before the next request takes its slot."""
        host = self._hosts.origin_of(task.url).host
        counted = self._handover.fetching(host) if self._handover else nullcontext()
        try:
            with counted:
                response, read = await self._pages.fetch(task, refused, retries)
            page = read.page
            await self._fetches.process(self._outputs(response, read, task))
        finally:
            self.frontier.page_arrived(task)
        if task.for_others:
            return
        if page.role is Role.LISTED:
            await self._comparison.of_page(page)
            await self._canonicals.of_page(page)
        if self._renderer is not None and task.first is None:
            await self._fetches.process(self._renderer.render(response, page))

    async def _process_answered(self, answered: Sequence[AnsweredTask]) -> None:
        """Process the pages of a worker as ``_fetch_page`` does those of this process."""
        caught, process = self._fetches.caught, self._fetches.process
        with caught:
            await process((PageRecords([record for _, record in answered if record]),))
        for task, record in answered:
            with caught:
                if record is not None:
                    await process(self._note(record.item, task))
            self.frontier.page_arrived(task)
        for task, record in answered:
            with caught:
                if record is not None and task.role is Role.LISTED:
                    await self._comparison.of_page(record.item)
                    await self._canonicals.of_page(record.item)
            self._fetches.end()

    def _note(self, page: Page, task: FetchTask) -> Iterator[Any]:
        """Record a page that was written, and yield its follow-ups."""
        self._pages.note_revalidation(page)
        self.rechecks.add(page, task.steps)
        yield from self.follow(page, task.steps)

    def _take_back(self, task: FetchTask, refused: ScrapyResponse, retries: int) -> None:
        self._fetch_here(task, refused, retries)
        self._fetches.end()

    def _fetch_lost(self, tasks: Sequence[FetchTask]) -> None:
        for task in tasks:
            self._fetch_here(task)
            self._fetches.end()

    def _max_in_flight_in_all(self) -> int:
        return self._in_flight + (self._handover.room() if self._handover else 0)

    def _max_in_flight(self, host: Host) -> int:
        if self._pages.is_full:
            return 0
        return self._pace.max_in_flight(host) + (self._handover.room(host) if self._handover else 0)

    def _outputs_of_kept(self, response: Response, task: FetchTask) -> Iterator[Any] | None:
        """Read the response of a file as a page; return None if its body is large."""
        read = self._pages.read_small(response, task)
        return self._outputs(response, read, task) if read else None

    def _outputs(self, response: Response, read: ReadPage, task: FetchTask) -> Iterator[Any]:
        """Yield a page and its follow-ups."""
        page = read.page
        if task.for_others:
            yield page
            return
        if task.first is not None and not self.rechecks.record_result(page, task.first):
            return
        if self._renderer is not None:
            self._renderer.choose(page)
        if task.first is None:
            self.rechecks.add(page, task.steps)
        links = None if read.links is None else LinkRecord.of(read.links)
        yield ReadItem(page, links, response)
        yield from self.follow(page, task.steps)
