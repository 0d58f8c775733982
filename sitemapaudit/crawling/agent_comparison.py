"""One request per site with the User-Agent of a browser, if the site denies access.

It tells whether the site refuses this program, or your address. What it does with a real crawler
cannot be found out: that is recognized by its address (a lookup of its name and back).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit import urls
from sitemapaudit.crawling import stats
from sitemapaudit.crawling.fetcher import Fetcher
from sitemapaudit.items import Page, Role
from sitemapaudit.pages.page_reader import find_challenge
from sitemapaudit.verdicts import DENIED

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response as ScrapyResponse
    from twisted.python.failure import Failure

    from sitemapaudit.http.response import Response

BROWSER: Final = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/142.0.0.0 Safari/537.36"
)
_FORBIDDEN: Final = 403
"""401 and 407 want a password from everybody, and 429 wants fewer requests."""

_DENIED: Final = "denied"


class AgentComparison:
    """Compares once per audited origin whose first sitemap or whose first page is denied.

    A page that is denied after others were not says nothing about who may read the site.
    """

    def __init__(
        self, crawler: Crawler, fetcher: Fetcher, sites: AbstractSet[str], *, enabled: bool
    ) -> None:
        self._stats = crawler.stats
        self._fetcher = fetcher
        self._sites = sites
        self._pages: set[str] = set()
        self._sitemaps: set[str] = set()
        """The origins whose first page, or first sitemap, has arrived."""
        agent = str(crawler.settings.get("USER_AGENT"))
        poses = agent.startswith("Mozilla/") and "compatible" not in agent
        self._enabled = enabled and not poses

    def of_page(self, page: Page) -> Iterator[Request]:
        """Yield a request if this listed page is the first of its site, and denied."""
        if page.role is not Role.LISTED or page.status is None:
            return
        if self._wants(self._pages, page.url, page.status, page.challenge):
            yield self._request(
                page.url,
                page.challenge or str(page.status),
                callback=self._arrived,
                errback=self._failed,
            )

    async def of_response(self, response: Response) -> None:
        """Compare if this response for a sitemap is the first of its site, and denied."""
        challenge = find_challenge(response)
        if self._wants(self._sitemaps, response.url, response.status, challenge):
            request = self._request(response.url, challenge or str(response.status))
            self._record(await self._fetcher.fetch(request), request)

    def _wants(
        self, arrived: set[str], url: str, status: int | None, challenge: str | None
    ) -> bool:
        origin = urls.origin(url)
        if origin in arrived:
            return False
        arrived.add(origin)
        if not self._enabled or origin not in self._sites:
            return False
        if status != _FORBIDDEN and challenge is None:
            return False
        self._pages.add(origin)
        return True

    def _request(self, url: str, denied: str, **values: Any) -> Request:
        headers = {"User-Agent": BROWSER}
        meta = {_DENIED: denied, "dont_retry": True}
        return self._fetcher.page_request(url, headers=headers, meta=meta, **values)

    def _arrived(self, response: ScrapyResponse) -> None:
        assert response.request is not None
        self._record(self._fetcher.read_response(response), response.request)

    def _failed(self, failure: Failure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        self._record(self._fetcher.read_failure(failure), request)

    def _record(self, response: Response, request: Request) -> None:
        challenge = find_challenge(response)
        seen = challenge or str(response.status or response.error)
        refused = bool(challenge) or response.status in DENIED or response.status is None
        values = {
            "url": request.url,
            "denied": request.meta[_DENIED],
            "browser": seen,
            "browser_denied": refused,
        }
        self._stats.set_value(stats.compared_stat(urls.origin(request.url)), values)
