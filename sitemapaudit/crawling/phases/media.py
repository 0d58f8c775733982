"""Checks the images and videos that entries list with one request each, without a download."""

import logging
import re
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any, ClassVar, Final

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.frontier import Actions, Frontier
from sitemapaudit.crawling.intake import MAX_WAITING
from sitemapaudit.crawling.ledger_queries import query_in_thread
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.phase import Phase
from sitemapaudit.crawling.selection import Selection
from sitemapaudit.hosts.host import Origin
from sitemapaudit.hosts.slots import Slots
from sitemapaudit.http.indexable_types import UNKNOWN_TYPES
from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.http.response import Response
from sitemapaudit.items import ELSEWHERE, Error, MediaFile, Role
from sitemapaudit.pages.media_reader import read_media
from sitemapaudit.runs import stats
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively

logger = logging.getLogger(__name__)

_REFUSED: Final = 400
"""The first status that means a refused HEAD request; a GET request can succeed."""

_REDIRECTS: Final = 300
"""The first status of a redirect."""

_FAILURE: Final = "the images and videos cannot be listed"

_MEDIA_TYPE: Final = re.compile(rf"(image|video|audio)/.*|{UNKNOWN_TYPES}")
"""The types that an image or a video has; some servers send another one for HEAD."""

_UNSENT: Final = frozenset(
    {*ELSEWHERE, Error.PRIVATE_ADDRESS, Error.ADDRESS_REFUSED, Error.INTERNAL, Error.IGNORED}
)
"""Errors before a request is sent: a GET request would have them too."""


class MediaCheck(Phase):
    """Requests images and videos after all pages, so that a page with the same URL comes first.

    The request is HEAD. A server that refuses it, fails, or sends the type of another file
    gets a GET request for the first byte; if it sends the whole file nevertheless, the download is
    stopped.
    """

    name: ClassVar = "images and videos"
    alone: ClassVar = False
    """True if each request gets a connection without others."""

    def __init__(self, parts: Parts, selection: Selection) -> None:
        settings = parts.fetcher.crawler.settings
        in_flight = settings.getint("CONCURRENT_REQUESTS") or sys.maxsize
        slots: Slots[FetchTask | Origin] = Slots(lambda: in_flight, parts.pace.max_in_flight)
        actions = Actions(self._start, self._outputs_of_kept, unfetched_media)
        self._frontier = Frontier(parts.hosts, parts.responses, parts.fetches, slots, actions)
        self._fetches = parts.fetches
        self._fetcher = parts.fetcher
        self._selection = selection
        self._config = parts.config
        self._run = parts.run.folder
        self._manifest = parts.run.manifest
        self._follows = Role.REDIRECT in self._config.arguments.follow
        # The HEAD request counts towards the requests that a URL may get.
        self._retries = max(0, settings.getint("RETRY_TIMES") - 1)

    async def fetch(self) -> AsyncIterator[Any]:
        """Check the listed files of the ledger that have not been checked."""
        for output in self._frontier.fetch_deferred():
            yield output
        if self._config.arguments.resume:
            async for output in self._resume(ResumedLedger(self._run)):
                yield output
        batches = self._listed()
        while (batch := await query_in_thread(_FAILURE, next, batches, None)) is not None:
            for url in batch:
                if self._selection.select_media(url):
                    async for output in self._fetch(FetchTask(url)):
                        yield output
        self._manifest.unchecked_media = dict(self._selection.skipped_media)

    def _listed(self) -> Iterator[list[str]]:
        # Few runs check media, and no other needs DuckDB here.
        from sitemapaudit.datasets.media.media_listing import media_urls  # noqa: PLC0415
        from sitemapaudit.datasets.samples.sampling import SampleChoice  # noqa: PLC0415

        settings = self._config.settings
        choice = SampleChoice.read(self._config.arguments.pages, settings.seed, settings.max_urls)
        return media_urls(self._run, settings.memory, choice)

    async def _resume(self, ledger: ResumedLedger) -> AsyncIterator[Any]:
        """Take over files that were checked before a resumption, and follow their redirects."""
        steps: dict[str, int] = {}
        async for row in cooperatively(ledger.media()):
            self._selection.restore_media(row)
            if row.via is not None:
                steps[row.url] = steps.get(row.via, 0) + 1
        async for row in cooperatively(ledger.media()):
            for task in self._targets(row, steps.get(row.url, 0)):
                async for output in self._fetch(task):
                    yield output

    async def _fetch(self, task: FetchTask) -> AsyncIterator[Any]:
        await self._frontier.wait_for_room(MAX_WAITING)
        for output in self._frontier.fetch(task):
            yield output

    def _targets(self, row: MediaFile, steps: int) -> Iterator[FetchTask]:
        """Yield the target of a redirect, if it is selected for the first time."""
        if row.target is None or not self._follows or steps >= MAX_HOPS:
            return
        task = FetchTask(row.target, Role.REDIRECT, row.url, steps + 1)
        if self._selection.select_target(task):
            yield task

    def _start(self, task: FetchTask) -> None:
        self._fetches.start(self._check(task))

    async def _check(self, task: FetchTask) -> None:
        try:
            row = await self._request(task)
            await self._fetches.process(self._outputs(row, task))
        finally:
            self._frontier.page_arrived(task)

    async def _request(self, task: FetchTask) -> MediaFile:
        method = "HEAD"
        request = self._fetcher.media_request(task.url, method, alone=self.alone)
        response = await self._fetcher.fetch(request)
        if _needs_get(response):
            method = "GET"
            meta = {"max_retry_times": self._retries}
            request = self._fetcher.media_request(task.url, method, alone=self.alone, meta=meta)
            response = await self._fetcher.fetch(request)
        return read_media(response, _new_row(task, method))

    def _outputs_of_kept(self, response: Response, task: FetchTask) -> Iterator[Any]:
        """Read the response of a sitemap or robots.txt that is also listed as an image."""
        return self._outputs(read_media(response, _new_row(task, "GET")), task)

    def _outputs(self, row: MediaFile, task: FetchTask) -> Iterator[Any]:
        self._fetcher.crawler.stats.inc_value(stats.MEDIA)
        yield row
        for target in self._targets(row, task.steps):
            yield from self._frontier.fetch(target)


def unfetched_media(task: FetchTask, error: Error | None, detail: str) -> MediaFile:
    """Return the row of an image or a video that must not be requested."""
    allowed = False if error is None else None
    return MediaFile(task.url, via=task.via, allowed=allowed, error=error, error_detail=detail)


def _new_row(task: FetchTask, method: str) -> MediaFile:
    return MediaFile(task.url, via=task.via, method=method, allowed=True)


def _needs_get(response: Response) -> bool:
    """Return whether the response to a HEAD request does not say what GET would return."""
    if response.error is not None:
        return response.error not in _UNSENT
    if response.status is None or response.status >= _REFUSED:
        return True
    media_type = response.media_type if response.status < _REDIRECTS else None
    return media_type is not None and not _MEDIA_TYPE.fullmatch(media_type)
