"""One request per site with the User-Agent of a browser, if the site denies access.

It tells whether the site refuses this program, or your address. What it does with a real crawler
cannot be found out: that is recognized by its address (a lookup of its name and back).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sitemapaudit import urls
from sitemapaudit.engine import stats
from sitemapaudit.fetching.fetcher import Fetcher
from sitemapaudit.items import Page
from sitemapaudit.pages.page_reader import find_challenge
from sitemapaudit.verdicts import DENIED

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from scrapy.crawler import Crawler

    from sitemapaudit.http.response import Response

BROWSER: Final = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/142.0.0.0 Safari/537.36"
)
_FORBIDDEN: Final = 403
"""401 and 407 want a password from everybody, and 429 wants fewer requests."""


class AgentComparison:
    """Compares once per audited origin whose first sitemap or whose first page is denied.

    Any other page that is denied says nothing about who may read the site.
    """

    def __init__(
        self, crawler: Crawler, fetcher: Fetcher, sites: AbstractSet[str], *, enabled: bool
    ) -> None:
        self._stats = crawler.stats
        self._fetcher = fetcher
        self._sites = sites
        self._first_pages: dict[str, str] = {}
        """The first listed page that is fetched of each origin."""
        self._sitemaps: set[str] = set()
        """The origins whose first sitemap has arrived."""
        self._compared: set[str] = set()
        agent = str(crawler.settings.get("USER_AGENT"))
        poses = agent.startswith("Mozilla/") and "compatible" not in agent
        self._enabled = enabled and not poses

    def expect(self, url: str) -> None:
        """Take note of a listed page that is going to be fetched."""
        self._first_pages.setdefault(urls.origin(url), url)

    async def of_page(self, page: Page) -> None:
        """Compare if this listed page is the first of its site, and denied."""
        origin = urls.origin(page.url)
        if self._first_pages.get(origin) == page.url and origin not in self._compared:
            await self._compare_denied(page.url, page.status, page.challenge)

    async def of_response(self, response: Response) -> None:
        """Compare if this response for a sitemap is the first of its site, and denied."""
        origin = urls.origin(response.url)
        if origin not in self._sitemaps:
            self._sitemaps.add(origin)
            await self._compare_denied(response.url, response.status, find_challenge(response))

    async def _compare_denied(self, url: str, status: int | None, challenge: str | None) -> None:
        origin = urls.origin(url)
        if not self._enabled or origin not in self._sites:
            return
        if status == _FORBIDDEN or challenge is not None:
            self._compared.add(origin)
            await self._compare(url, challenge or str(status))

    async def _compare(self, url: str, denied: str) -> None:
        headers, meta = {"User-Agent": BROWSER}, {"dont_retry": True}
        request = self._fetcher.page_request(url, headers=headers, meta=meta)
        self._record(await self._fetcher.fetch(request), url, denied)

    def _record(self, response: Response, url: str, denied: str) -> None:
        challenge = find_challenge(response)
        seen = challenge or str(response.status or response.error)
        refused = bool(challenge) or response.status in DENIED or response.status is None
        values = {
            "url": url,
            "denied": denied,
            "browser": seen,
            "browser_denied": refused,
        }
        self._stats.set_value(stats.compared_stat(urls.origin(url)), values)
