"""Requests images and videos again whose responses can belong to other requests."""

from collections.abc import AsyncIterator
from typing import Any, ClassVar

from sitemapaudit.crawling.doubts import Doubts
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.parts import Parts
from sitemapaudit.crawling.phases.media import MediaCheck
from sitemapaudit.crawling.selection import Selection
from sitemapaudit.items import Role
from sitemapaudit.runs.ledger.resuming import ResumedLedger, cooperatively
from sitemapaudit.urls.url_set import UrlSet


class DoubtedMedia(MediaCheck):
    """Requests each of these files on a connection without other requests."""

    name: ClassVar = "images and videos with doubtful responses"
    alone: ClassVar = True

    def __init__(self, parts: Parts, selection: Selection, doubts: Doubts) -> None:
        super().__init__(parts, selection)
        self._doubts = doubts

    async def fetch(self) -> AsyncIterator[Any]:
        """Request the files, except those that were requested twice already."""
        await self._doubts.wait()
        if not self._doubts:
            return
        ledger, once, twice = ResumedLedger(self._run), UrlSet(), UrlSet()
        async for row in cooperatively(ledger.media()):
            if row.url in self._doubts and not once.add(row.url):
                twice.add(row.url)
        async for row in cooperatively(ledger.media()):
            if row.url in once and row.url not in twice:
                role = Role.LISTED if row.via is None else Role.REDIRECT
                async for output in self._fetch(FetchTask(row.url, role, row.via)):
                    yield output
